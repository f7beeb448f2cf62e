import { AppError } from '../../base/index.ts';

/** 400, as the real server answers a body it cannot read. */
export function malformed(what: string): AppError {
  return new AppError('usage', `decode a protobuf body: ${what}`);
}

/** Go's decoder replaces bad UTF-8 when it writes JSON; so does this one. */
const TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

/** A cursor over one message. Every read is checked against the end of that message. */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** As unsigned 64 bit. */
  varint(): bigint {
    let low = 0;
    for (let index = 0; index < 4; index++) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let index = 4n; index < 10n; index++) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << (7n * index);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed('a number is longer than 10 bytes');
  }

  tag(): { number: number; wireType: number } {
    const value = this.varint();
    if (value < 8n || value > 0xffffffffn) throw malformed(`field tag ${value} is out of range`);
    return { number: Number(value >> 3n), wireType: Number(value & 7n) };
  }

  double(): number {
    this.#need(8);
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
  }

  bytes(): Uint8Array {
    const length = this.varint();
    if (length > BigInt(this.#bytes.length - this.#at)) throw malformed(`a length of ${length} runs past the end`);
    const start = this.#at;
    this.#at += Number(length);
    return this.#bytes.subarray(start, this.#at);
  }

  text(): string {
    return TEXT.decode(this.bytes());
  }

  /** Passes over a field that is not known. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#advance(8);
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#advance(4);
    else throw malformed(`wire type ${wireType} is not used by Kubernetes`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw malformed('it ends in the middle of a value');
    this.#at++;
    return byte;
  }

  #need(count: number): void {
    if (this.#at + count > this.#bytes.length) throw malformed('it ends in the middle of a value');
  }

  #advance(count: number): void {
    this.#need(count);
    this.#at += count;
  }
}
