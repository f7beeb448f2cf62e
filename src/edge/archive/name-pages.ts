import { AppError } from '../../base/index.ts';

const PAGE_BYTES = 1024 ** 2;
/** Every name is preceded by its length. */
const LENGTH_BYTES = 2;

/** Short texts stored as consecutive bytes: separate strings would take several times the memory. */
export class NamePages {
  readonly #maxBytes: number;
  readonly #pages: Buffer[] = [];
  #end = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Memory used. */
  get bytes(): number {
    return this.#pages.length * PAGE_BYTES;
  }

  /** Returns the position of the name. */
  add(name: Buffer): number {
    const bytes = LENGTH_BYTES + name.length;
    // No name crosses the end of a page.
    if ((this.#end % PAGE_BYTES) + bytes > PAGE_BYTES) this.#end = this.#pages.length * PAGE_BYTES;
    if (this.#end + bytes > this.#maxBytes) {
      throw new AppError('tooLarge', `read archive: expected names of at most ${this.#maxBytes} bytes together`);
    }
    if (this.#end === this.#pages.length * PAGE_BYTES) this.#pages.push(Buffer.allocUnsafeSlow(PAGE_BYTES));
    const place = this.#end;
    const page = this.#pages.at(-1) as Buffer;
    page.writeUInt16LE(name.length, place % PAGE_BYTES);
    page.set(name, (place % PAGE_BYTES) + LENGTH_BYTES);
    this.#end += bytes;
    return place;
  }

  at(place: number): Buffer {
    const page = this.#pages[Math.floor(place / PAGE_BYTES)] as Buffer;
    const start = (place % PAGE_BYTES) + LENGTH_BYTES;
    return page.subarray(start, start + page.readUInt16LE(start - LENGTH_BYTES));
  }
}
