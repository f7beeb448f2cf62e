/** One frame of SPDY 3.1. Of control frames only the payload behind the common head is kept. */
export type Frame =
  | { kind: 'data'; stream: number; isLast: boolean; data: Buffer }
  | { kind: 'control'; type: number; flags: number; payload: Buffer };

export const TYPE = { open: 1, reply: 2, reset: 3, settings: 4, ping: 6, goAway: 7, headers: 8, window: 9 } as const;
export const FLAG_LAST = 1;

const HEAD = 8;
const VERSION = 3;
const CONTROL = 0x80_00;
/** Larger ones are no frames of a client that forwards ports. */
const MAX_LENGTH = 16 * 1024 * 1024;
const ID = 0x7f_ff_ff_ff;

/** Puts frames together from whatever pieces they come in. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are whole now. Throws for what is no SPDY. */
  read(chunk: Buffer): Frame[] {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (bytes.length >= HEAD) {
      const length = bytes.readUIntBE(5, 3);
      if (length > MAX_LENGTH) throw new RangeError(`a frame of ${length} bytes`);
      if (bytes.length < HEAD + length) break;
      frames.push(frameOf(bytes.subarray(0, HEAD), Buffer.from(bytes.subarray(HEAD, HEAD + length))));
      bytes = bytes.subarray(HEAD + length);
    }
    this.#rest = Buffer.from(bytes);
    return frames;
  }
}

function frameOf(head: Buffer, payload: Buffer): Frame {
  const flags = head.readUInt8(4);
  const first = head.readUInt16BE();
  if ((first & CONTROL) === 0) {
    return { kind: 'data', stream: head.readUInt32BE() & ID, isLast: (flags & FLAG_LAST) !== 0, data: payload };
  }
  if ((first & ~CONTROL) !== VERSION) throw new RangeError(`version ${first & ~CONTROL} of SPDY`);
  return { kind: 'control', type: head.readUInt16BE(2), flags, payload };
}

export function dataFrame(stream: number, data: Buffer, isLast: boolean): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(stream);
  head.writeUInt8(isLast ? FLAG_LAST : 0, 4);
  head.writeUIntBE(data.length, 5, 3);
  return Buffer.concat([head, data]);
}

export function controlFrame(type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt16BE(CONTROL | VERSION);
  head.writeUInt16BE(type, 2);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** The number of the stream that a control frame is about. */
export function streamOf(payload: Buffer): number {
  return payload.readUInt32BE() & ID;
}
