import { setFlagsFromString } from 'node:v8';

// Go's expressions take linear time, and authors of definitions rely on it; V8's take years for `^(a+)+$` and a long
// text, and nobody else is served meanwhile. With this, V8 changes to a linear machine when it notices.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

/** What only the Unicode mode understands. V8's linear machine knows neither that mode nor `i`, so the rest goes without. */
const NEEDS_UNICODE = /\\[pP]|\\u\{|[\ud800-\udfff]/;

/** An expression in Go's syntax; undefined when it is not understood. */
export function compileGoPattern(source: string): RegExp | undefined {
  // Go writes flags in front of the pattern, JavaScript behind it.
  const match = /^\(\?([is]+)\)/.exec(source);
  const body = match ? source.slice(match[0].length) : source;
  try {
    return new RegExp(body, (NEEDS_UNICODE.test(body) ? 'u' : '') + (match?.[1] ?? ''));
  } catch {
    return undefined;
  }
}
