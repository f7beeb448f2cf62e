import { AppError } from '../../../base/index.ts';
import { fromBytes, plainText, toBytes } from '../template/index.ts';

/** What `kando output` prints before a key and a value. */
const MARKER = toBytes('###Phase-output###:');
const NEWLINE = 10;
/** For each count of bytes that matched: how many still do if the next one does not. */
const FALLBACKS = Uint8Array.from({ length: MARKER.length }, (_, matched) => fallback(matched));
/** A value goes into the status of an ActionSet, which must fit into an object of the cluster. */
const MAX_MARKER_BYTES = 512 * 1024;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_KEYS = 1000;

/** One line as `kando output` prints it. */
export function markerLine(key: string, value: string): string {
  return `###Phase-output###: ${goJson({ key, value })}\n`;
}

/** As Go writes it: what could be HTML is escaped. */
function goJson(pair: { key: string; value: string }): string {
  return JSON.stringify(pair).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Reads the outputs of a phase from what its command prints, piece by piece, wherever the pieces are cut. A marker may
 * stand anywhere in a line; what follows it up to the end of the line is one pair. Everything else is let go at once, so
 * that endless output takes no memory.
 */
export class OutputReader {
  readonly #outputs = new Map<string, string>();
  #size = 0;
  /** How much of a marker the last bytes may be. */
  #matched = 0;
  /** The bytes behind a marker so far. */
  #pair: number[] | undefined;
  #problem: AppError | undefined;

  /** Never throws: a pair that is wrong is told at the end, when the whole output is there. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#pair === undefined) at = this.#seek(chunk, at);
      else at = this.#collect(chunk, at);
    }
  }

  /** The last value of each key. Throws `invalid` for a marker without a pair behind it. */
  finish(): Record<string, string> {
    // The last line may have no end.
    if (this.#pair !== undefined) this.#endPair();
    if (this.#problem !== undefined) throw this.#problem;
    return Object.fromEntries(this.#outputs);
  }

  /** Returns where to go on: behind a marker, or at the end. */
  #seek(chunk: Uint8Array, start: number): number {
    let at = start;
    while (at < chunk.length) {
      if (this.#matched === 0) {
        const found = chunk.indexOf(Number(MARKER[0]), at);
        if (found < 0) return chunk.length;
        at = found;
      }
      this.#advance(Number(chunk[at]));
      at += 1;
      if (this.#matched === MARKER.length) {
        this.#matched = 0;
        this.#pair = [];
        return at;
      }
    }
    return at;
  }

  #advance(byte: number): void {
    while (this.#matched > 0 && MARKER[this.#matched] !== byte) this.#matched = Number(FALLBACKS[this.#matched]);
    if (MARKER[this.#matched] === byte) this.#matched += 1;
  }

  #collect(chunk: Uint8Array, start: number): number {
    const found = chunk.indexOf(NEWLINE, start);
    const end = found < 0 ? chunk.length : found;
    const pair = this.#pair ?? [];
    const room = MAX_MARKER_BYTES - pair.length;
    for (const byte of chunk.subarray(start, Math.min(end, start + room))) pair.push(byte);
    if (end - start > room) this.#fail('tooLarge', `an output is longer than ${String(MAX_MARKER_BYTES)} bytes`);
    this.#pair = pair;
    if (found < 0) return chunk.length;
    this.#endPair();
    return found + 1;
  }

  #endPair(): void {
    const text = plainText(fromBytes(Uint8Array.from(this.#pair ?? [])));
    this.#pair = undefined;
    const pair = readPair(text);
    if (typeof pair === 'string') this.#fail('invalid', `Failed to unmarshal key-value pair: ${pair}`);
    else this.#keep(pair.key, pair.value);
  }

  #keep(key: string, value: string): void {
    this.#size += key.length + value.length - (this.#outputs.get(key)?.length ?? -key.length);
    this.#outputs.set(key, value);
    if (this.#outputs.size > MAX_KEYS) this.#fail('tooLarge', `more than ${String(MAX_KEYS)} outputs`);
    if (this.#size > MAX_OUTPUT_BYTES) this.#fail('tooLarge', `outputs of more than ${String(MAX_OUTPUT_BYTES)} bytes`);
    if (this.#problem?.code === 'tooLarge') this.#outputs.delete(key);
  }

  #fail(code: 'invalid' | 'tooLarge', message: string): void {
    this.#problem ??= new AppError(code, message);
  }
}

function readPair(text: string): { key: string; value: string } | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message;
  }
  const { key, value } = (typeof json === 'object' && json !== null ? json : {}) as { key?: unknown; value?: unknown };
  if (typeof key !== 'string' || typeof value !== 'string') return 'expected a key and a value, both text';
  return { key, value };
}

/** Outputs of several commands as one; the later ones win. */
export function mergeOutputs(outputs: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.assign({}, ...outputs) as Record<string, string>;
}

/** How long the longest beginning of the marker is that ends where so much of it was matched. */
function fallback(matched: number): number {
  for (let length = matched - 1; length > 0; length -= 1) {
    const start = matched - length;
    if (MARKER.subarray(0, length).every((byte, index) => byte === MARKER[start + index])) return length;
  }
  return 0;
}
