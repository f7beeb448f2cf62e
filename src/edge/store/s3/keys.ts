/** Everything that the SDK ever learns from a Secret or from a file named by a location. */
export interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** When they expire, for keys that do. */
  expiration?: Date;
}

/** Keys, or a function to get new ones when they have expired. */
export type Credentials = Keys | (() => Promise<Keys>);
