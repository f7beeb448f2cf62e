const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)(?= |$)/;

export interface Stamped {
  /** As written in the log. */
  time: string;
  /** Since 1970; nodes write local offsets and drop zeros, so the texts cannot be compared. */
  nanos: bigint;
  rest: string;
}

/** The timestamp at the beginning of a line, and the text after it; undefined if there is none. */
export function readStamp(line: string): Stamped | undefined {
  const [time, seconds, fraction = '', zone] = STAMP.exec(line) ?? [];
  if (time === undefined || seconds === undefined || zone === undefined) return undefined;
  const ms = Date.parse(seconds + zone);
  if (Number.isNaN(ms)) return undefined;
  const nanos = BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return { time, nanos, rest: line.slice(time.length + 1) };
}
