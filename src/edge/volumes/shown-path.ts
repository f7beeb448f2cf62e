import { cleanText } from '../../base/index.ts';
import { pathBytes, type BytePath } from './byte-path.ts';

const MAX_SHOWN = 200;

/** For people; bytes that are no text become a question mark in a box. */
export function shownPath(path: BytePath): string {
  return cleanText(pathBytes(path).toString('utf8'), MAX_SHOWN);
}
