import { open, readFile, type FileHandle } from 'node:fs/promises';
import type { ContainerLog } from './container-log.ts';
import { segmentsOf, type Segment } from './log-folder.ts';
import { parseLine, type StreamName } from './log-line.ts';

export interface LogOptions {
  /** Lines that are not older; as lines have their times. */
  since?: string;
  tailLines?: number;
  limitBytes?: number;
  withTimes: boolean;
  stream?: StreamName;
}

interface Position {
  segment: number;
  offset: number;
}

const NEWLINE = 0x0a;
const READ_BYTES = 256 * 1024;

/**
 * What a container said, piece by piece. With `live` what it still says follows, to its end. What was deleted meanwhile,
 * because the log is bounded, is left out.
 */
export async function* readLog(
  dir: string,
  options: LogOptions,
  { live, signal }: { live?: ContainerLog | undefined; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const printer = new LinePrinter(options);
  const start = options.tailLines === undefined ? undefined : await tailPosition(dir, options.tailLines);
  let left = options.limitBytes ?? Infinity;
  for await (const lines of rawLines(dir, start, { live, signal })) {
    const printed = printer.print(lines);
    if (printed.length > 0) yield printed.subarray(0, left);
    left -= printed.length;
    if (left <= 0) return;
  }
}

/** Whole lines of the files from a position on, as many at a time as were read. */
async function* rawLines(
  dir: string,
  start: Position | undefined,
  { live, signal }: { live?: ContainerLog | undefined; signal: AbortSignal },
): AsyncGenerator<Buffer[]> {
  let at: Position = start ?? { segment: -1, offset: 0 };
  for (;;) {
    // Asked for before looking, so that nothing that comes between is missed.
    const isLast = live === undefined || live.isOver;
    const change = isLast ? undefined : live.changed(signal);
    for (const segment of await segmentsOf(dir)) {
      if (segment.number < at.segment) continue;
      if (segment.number > at.segment) at = { segment: segment.number, offset: 0 };
      for await (const { lines, offset } of linesOf(segment, at.offset)) {
        at = { segment: segment.number, offset };
        if (signal.aborted) return;
        yield lines;
      }
    }
    if (change === undefined || signal.aborted) return;
    await change;
  }
}

async function* linesOf({ path }: Segment, from: number): AsyncGenerator<{ lines: Buffer[]; offset: number }> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch {
    return; // Too old by now.
  }
  try {
    let offset = from;
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, offset + rest.length);
      if (bytesRead === 0) return;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      rest = bytes.subarray(end);
      offset += end;
      if (end > 0) yield { lines: split(bytes.subarray(0, end)), offset };
    }
  } finally {
    await file.close();
  }
}

function split(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0, end = bytes.indexOf(NEWLINE); end >= 0; at = end + 1, end = bytes.indexOf(NEWLINE, at)) {
    lines.push(bytes.subarray(at, end));
  }
  return lines;
}

/** Where the last lines begin. A line in parts counts once. */
async function tailPosition(dir: string, wanted: number): Promise<Position> {
  const segments = await segmentsOf(dir);
  const last = segments.at(-1);
  let at: Position = { segment: last?.number ?? 0, offset: 0 };
  let found = 0;
  let isFirst = true;
  for (const { number, path } of segments.toReversed()) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (isFirst) at = { segment: number, offset: bytes.lastIndexOf(NEWLINE) + 1 };
    for (let end = bytes.lastIndexOf(NEWLINE); end >= 0;) {
      const begin = end === 0 ? 0 : bytes.lastIndexOf(NEWLINE, end - 1) + 1;
      const line = parseLine(bytes.subarray(begin, end));
      // The end of a line that has one, or the very last words that have none.
      if (line?.isPartial === false || isFirst) found += 1;
      isFirst = false;
      if (found > wanted) return at;
      at = { segment: number, offset: begin };
      end = begin === 0 ? -1 : begin - 1;
    }
  }
  return at;
}

class LinePrinter {
  readonly #options: LogOptions;
  #isInside = false;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  print(lines: readonly Buffer[]): Buffer {
    const { since, stream, withTimes } = this.#options;
    const pieces: Buffer[] = [];
    for (const bytes of lines) {
      const line = parseLine(bytes);
      if (line === undefined || (since !== undefined && line.time < since)) continue;
      if (stream !== undefined && line.stream !== stream) continue;
      if (withTimes && !this.#isInside) pieces.push(Buffer.from(`${line.time} `));
      pieces.push(line.text);
      if (!line.isPartial) pieces.push(Buffer.of(NEWLINE));
      this.#isInside = line.isPartial;
    }
    return Buffer.concat(pieces);
  }
}
