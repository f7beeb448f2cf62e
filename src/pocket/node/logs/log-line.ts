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
const NEWLINE = 0x0a;
const TIME_LENGTH = '2026-01-01T00:00:00.000000000Z'.length;
const NANOS_IN_MS = 1_000_000;

/** Nanoseconds beyond the millisecond only tell lines of the same millisecond apart. */
export class LineTimes {
  #lastMs = 0;
  #nanos = 0;

  next(nowMs: number): string {
    const ms = Math.max(Math.floor(nowMs), this.#lastMs);
    this.#nanos = ms === this.#lastMs ? this.#nanos + 1 : 0;
    this.#lastMs = this.#nanos < NANOS_IN_MS ? ms : ms + 1;
    this.#nanos %= NANOS_IN_MS;
    return `${new Date(this.#lastMs).toISOString().slice(0, -1)}${String(this.#nanos).padStart(6, '0')}Z`;
  }
}

/** Cuts what a stream says into lines. */
export class LineCutter {
  readonly #stream: StreamName;
  readonly #times: LineTimes;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: StreamName, times: LineTimes) {
    this.#stream = stream;
    this.#times = times;
  }

  /** The lines that are whole now, as bytes of a log file. */
  cut(chunk: Buffer, nowMs: number): Buffer {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const pieces: Buffer[] = [];
    let at = 0;
    for (;;) {
      const end = all.indexOf(NEWLINE, at);
      const stop = end < 0 ? all.length : end;
      while (stop - at > MAX_TEXT) {
        pieces.push(this.#line('P', all.subarray(at, at + MAX_TEXT), nowMs));
        at += MAX_TEXT;
      }
      if (end < 0) break;
      pieces.push(this.#line('F', all.subarray(at, end), nowMs));
      at = end + 1;
    }
    this.#rest = Buffer.from(all.subarray(at));
    return Buffer.concat(pieces);
  }

  /** What was said last, without an end. */
  end(nowMs: number): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.length === 0 ? rest : this.#line('P', rest, nowMs);
  }

  #line(tag: 'F' | 'P', text: Buffer, nowMs: number): Buffer {
    const head = Buffer.from(`${this.#times.next(nowMs)} ${this.#stream} ${tag} `, 'latin1');
    return Buffer.concat([head, text, Buffer.of(NEWLINE)]);
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
