import { cleanText } from '../../base/index.ts';

/**
 * Names of files are bytes, and need not be text. Inside this folder a path is a string with one character for each
 * byte (latin1), which can be compared, kept in a map, and turned back without loss.
 */
export type BytePath = string;

const MAX_SHOWN = 200;

export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

export function bytePath(path: string | Buffer): BytePath {
  return (typeof path === 'string' ? Buffer.from(path) : path).toString('latin1');
}

/** For people; bytes that are no text become a question mark in a box. */
export function shownPath(path: BytePath): string {
  return cleanText(pathBytes(path).toString('utf8'), MAX_SHOWN);
}
