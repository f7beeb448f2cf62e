import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { SPDY_DICTIONARY } from './dictionary.ts';

const MAX_PAIRS = 100;
const MAX_BYTES = 64 * 1024;

/** Headers of one direction of a connection: each block is compressed with what the blocks before it had. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: SPDY_DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });

  async read(block: Buffer): Promise<Map<string, string>> {
    return parse(await through(this.#inflate, block));
  }
}

export class HeaderWriter {
  readonly #deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY, flush: constants.Z_SYNC_FLUSH });

  /** A block without any header, which is all we ever have to say. */
  empty(): Promise<Buffer> {
    return through(this.#deflate, Buffer.alloc(4));
  }
}

/** Names are in lower case, so that they are found however they were written. */
function parse(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const text = (): string => {
    const length = bytes.readUInt32BE(at);
    const word = bytes.toString('utf8', at + 4, at + 4 + length);
    at += 4 + length;
    return word;
  };
  const pairs = bytes.readUInt32BE();
  if (pairs > MAX_PAIRS) throw new RangeError(`${pairs} headers`);
  for (let i = 0; i < pairs; i += 1) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}

function through(codec: Inflate | Deflate, block: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const take = (piece: Buffer): void => {
      length += piece.length;
      if (length <= MAX_BYTES) pieces.push(piece);
    };
    const end = (error?: Error | null): void => {
      codec.off('data', take);
      codec.off('error', end);
      if (error) reject(error);
      else if (length > MAX_BYTES) reject(new RangeError('headers are too long'));
      else resolve(Buffer.concat(pieces));
    };
    codec.on('data', take);
    codec.once('error', end);
    codec.write(block, (error) => {
      // What it still holds comes with a flush.
      if (error) end(error);
      else
        codec.flush(constants.Z_SYNC_FLUSH, () => {
          end();
        });
    });
  });
}
