import { constants, deflateRawSync } from 'node:zlib';
import { stringifyJson } from '../../base/index.ts';
import type { Operation } from '../../core/operations/index.ts';

const cache = new WeakMap<Operation, string>();

/** An operation as JSON; the same operation is written once, however many look at it. */
export function operationText(operation: Operation): string {
  const known = cache.get(operation);
  if (known !== undefined) return known;
  const text = stringifyJson(operation);
  cache.set(operation, text);
  return text;
}

export function eventText(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** What begins a gzip stream: deflate, no name, no time. */
export const GZIP_BEGIN: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** One piece of an event stream, ready for readers of both kinds. */
export class Piece {
  readonly plain: Buffer;
  #gzipped: Buffer | undefined;

  constructor(text: string) {
    this.plain = Buffer.from(text);
  }

  /**
   * Whole deflate blocks that end on a byte and look back at nothing before them, so that one piece, compressed once,
   * continues the gzip stream of every reader, whatever was sent to each before.
   */
  get gzipped(): Buffer {
    this.#gzipped ??= deflateRawSync(this.plain, { level: 3, finishFlush: constants.Z_SYNC_FLUSH });
    return this.#gzipped;
  }
}
