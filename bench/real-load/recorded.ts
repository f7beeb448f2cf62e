/** One request of a restore, as bench/real-load/recording-server.ts writes it down. */
export interface Recorded {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: string;
  /** The path of the object that it is about. */
  of: string;
  plural: string;
  group: string;
}
