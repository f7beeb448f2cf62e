export type StreamName = 'stdout' | 'stderr';

/** A line of a container's log, as container runtimes keep it. */
export interface LogLine {
  /** RFC 3339 with nine digits, UTC, so that times compare as texts. */
  time: string;
  stream: StreamName;
  /** More of the same line follows, or its end never came. */
  isPartial: boolean;
  text: Buffer;
}

/** Longer lines are kept in parts, so that nobody must hold a line without end in memory. */
const MAX_TEXT = 16 * 1024;
const TIME_LENGTH = '2026-01-01T00:00:00.000000000Z'.length;
const NANOS_IN_MS = 1_000_000;

/** Nanoseconds beyond the millisecond only tell lines of the same millisecond apart. */
export class LineTimes {
  #lastMs = 0;
  #prefix = '';
  #nanos = 0;

  next(nowMs: number): string {
    const ms = Math.max(Math.floor(nowMs), this.#lastMs);
    if (ms === this.#lastMs && this.#nanos < NANOS_IN_MS - 1) this.#nanos += 1;
    else this.#begin(ms === this.#lastMs ? ms + 1 : ms);
    // A million more, so that leading zeros are there without looking.
    return `${this.#prefix}${String(NANOS_IN_MS + this.#nanos).slice(1)}Z`;
  }

  #begin(ms: number): void {
    this.#lastMs = ms;
    this.#nanos = 0;
    this.#prefix = new Date(ms).toISOString().slice(0, -1);
  }
}

/** Cuts what a stream says into lines. Bytes are Latin-1 in between, which keeps them all and is fast. */
export class LineCutter {
  readonly #stream: StreamName;
  readonly #times: LineTimes;
  #rest = '';

  constructor(stream: StreamName, times: LineTimes) {
    this.#stream = stream;
    this.#times = times;
  }

  /** The lines that are whole now, as bytes of a log file. */
  cut(chunk: Buffer, nowMs: number): Buffer {
    const all = this.#rest + chunk.toString('latin1');
    let text = '';
    let at = 0;
    for (;;) {
      const end = all.indexOf('\n', at);
      const stop = end < 0 ? all.length : end;
      for (; stop - at > MAX_TEXT; at += MAX_TEXT) text += this.#line('P', all.slice(at, at + MAX_TEXT), nowMs);
      if (end < 0) break;
      text += this.#line('F', all.slice(at, end), nowMs);
      at = end + 1;
    }
    this.#rest = all.slice(at);
    return Buffer.from(text, 'latin1');
  }

  /** What was said last, without an end. */
  end(nowMs: number): Buffer {
    const rest = this.#rest;
    this.#rest = '';
    return Buffer.from(rest === '' ? '' : this.#line('P', rest, nowMs), 'latin1');
  }

  #line(tag: 'F' | 'P', text: string, nowMs: number): string {
    return `${this.#times.next(nowMs)} ${this.#stream} ${tag} ${text}\n`;
  }
}

/** A line of a log file without its end; undefined for what is none, such as a line that a kill cut short. */
export function parseLine(line: Buffer): LogLine | undefined {
  const head = line.toString('latin1', 0, TIME_LENGTH + 10);
  const [, time = '', stream, tag] = /^(\S{30}) (stdout|stderr) ([FP]) /.exec(head) ?? [];
  if (stream === undefined) return undefined;
  const text = line.subarray(TIME_LENGTH + 1 + stream.length + 3);
  return { time, stream: stream as StreamName, isPartial: tag === 'P', text };
}

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** The time as lines have it; undefined if the text is none. */
export function lineTime(text: string): string | undefined {
  const [, seconds, fraction = '', zone = ''] = RFC3339.exec(text) ?? [];
  const ms = Date.parse(`${seconds ?? ''}${zone}`);
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`;
}
