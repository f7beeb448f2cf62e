/**
 * Names of files are bytes, and need not be text. Inside this folder a path is a string with one character for each
 * byte (latin1), which can be compared, kept in a map, and turned back without loss.
 */
export type BytePath = string;

export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

export function bytePath(path: string): BytePath {
  return Buffer.from(path).toString('latin1');
}
