/** All that the SDK ever gets to know of a Secret or of a file that a location names. */
export interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** When they end, for keys that do. */
  expiration?: Date;
}

/** Keys, or where to get them again when they have ended. */
export type Credentials = Keys | (() => Promise<Keys>);
