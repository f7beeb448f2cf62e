import { setFlagsFromString } from 'node:v8';

/**
 * Users write regular expressions (resourceNameRegex of a resource modifier), and one of them, tried on one name, could
 * hold this process until the end of days. With this V8 changes to an engine that cannot, once it has gone back too often.
 */
export function boundExpressions(): void {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
}
