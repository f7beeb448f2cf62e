import { randomInt } from 'node:crypto';
import type { ItemKey } from '../../core/progress/index.ts';
import { hostile } from './check-entry.ts';
import { MAX_PATH_LENGTH } from './limits.ts';
import { NamePages } from './name-pages.ts';
import type { Span } from './spool.ts';

/** Some items: for each, the position of its name, the hash of the name, and its span in the spool. */
interface Page {
  names: Uint32Array;
  hashes: Uint32Array;
  offsets: Float64Array;
  lengths: Uint32Array;
  /** Of what a reader may leave out, within the item. */
  cuts: Uint32Array;
  cutLengths: Uint32Array;
}

/** Where an item is. */
export interface Place extends Span {
  /** What `readLean` leaves out, which may be nothing; undefined if the item had to be parsed to be checked. */
  cut: Span | undefined;
}

/** Instead of a position, for an item of which only the name is kept: no item that is kept is empty. */
export const NOT_KEPT: Span = { offset: 0, length: 0 };

const PAGE_ITEMS = 16_384;
const ITEM_BYTES = 28;
const NOWHERE = -1;
const NOT_LOOKED_AT = 0xffff_ffff;
const SLASH = 0x2f;
/** In a half-empty table, ordinary names are found within a few dozen steps; more means crafted collisions. */
const MAX_STEPS = 4096;

/**
 * The positions of an archive's items. A million of them took 600 MB in a Map; here an item takes its name plus about
 * 40 bytes, and the garbage collector does not have to walk them.
 */
export class ItemIndex {
  readonly #names: NamePages;
  readonly #pages: Page[] = [];
  /** A hash table with linear probing. Each slot holds an item's number plus one; 0 is empty. */
  #table = new Uint32Array(1024);
  #size = 0;
  /** Random, so that the author of an archive cannot predict which hashes collide. */
  readonly #seed = randomInt(2 ** 32);
  readonly #scratch = Buffer.alloc(3 * MAX_PATH_LENGTH);

  constructor(maxNameBytes: number) {
    this.#names = new NamePages(maxNameBytes);
  }

  get size(): number {
    return this.#size;
  }

  /** Memory used. */
  get bytes(): number {
    return this.#names.bytes + this.#pages.length * PAGE_ITEMS * ITEM_BYTES + this.#table.byteLength;
  }

  /** Returns the item's number, or undefined if it is already there. It has no position yet. */
  add(key: ItemKey): number | undefined {
    const id = this.#bytesOf(key);
    const hash = this.#hashOf(id);
    const slot = this.#slotOf(id, hash);
    if (this.#table[slot] !== 0) return undefined;
    const number = this.#size;
    const at = number % PAGE_ITEMS;
    if (at === 0) this.#pages.push(newPage());
    const page = this.#pageOf(number);
    page.names[at] = this.#names.add(id);
    page.hashes[at] = hash;
    this.#size += 1;
    this.#table[slot] = this.#size;
    if (2 * this.#size > this.#table.length) this.#grow();
    return number;
  }

  place(number: number, { offset, length }: Span, cut?: Span): void {
    const page = this.#pageOf(number);
    const at = number % PAGE_ITEMS;
    page.offsets[at] = offset;
    page.lengths[at] = length;
    page.cuts[at] = cut?.offset ?? NOT_LOOKED_AT;
    page.cutLengths[at] = cut?.length ?? 0;
  }

  /** Undefined if the item is not there, or has no position. */
  find(key: ItemKey): Place | undefined {
    if (idOf(key).length > MAX_PATH_LENGTH) return undefined;
    const id = this.#bytesOf(key);
    const found = this.#table[this.#slotOf(id, this.#hashOf(id))] ?? 0;
    return found === 0 ? undefined : this.#placeOf(found - 1);
  }

  /** Items that have a position, in the order they were added. */
  *keys(): Generator<ItemKey> {
    let last: ItemKey | undefined;
    for (let number = 0; number < this.#size; number += 1) {
      if (this.#placeOf(number) === undefined) continue;
      last = decode(this.#nameOf(number), last);
      yield last;
    }
  }

  #placeOf(number: number): Place | undefined {
    const { offsets, lengths, cuts, cutLengths } = this.#pageOf(number);
    const at = number % PAGE_ITEMS;
    const offset = offsets[at] ?? NOWHERE;
    if (offset === NOWHERE) return undefined;
    const cut = cuts[at] ?? NOT_LOOKED_AT;
    return {
      offset,
      length: lengths[at] ?? 0,
      cut: cut === NOT_LOOKED_AT ? undefined : { offset: cut, length: cutLengths[at] ?? 0 },
    };
  }

  #nameOf(number: number): Buffer {
    return this.#names.at(this.#pageOf(number).names[number % PAGE_ITEMS] ?? 0);
  }

  #pageOf(number: number): Page {
    return this.#pages[Math.floor(number / PAGE_ITEMS)] as Page;
  }

  /** The item's slot in the table, or the one it would take. */
  #slotOf(id: Buffer, hash: number): number {
    const mask = this.#table.length - 1;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const slot = (hash + step) & mask;
      const found = this.#table[slot] ?? 0;
      if (found === 0) return slot;
      const isSame = this.#pageOf(found - 1).hashes[(found - 1) % PAGE_ITEMS] === hash;
      if (isSame && this.#nameOf(found - 1).equals(id)) return slot;
    }
    throw hostile(id.toString('utf8'), `expected different hashes, more than ${MAX_STEPS} names have nearly the same`);
  }

  #grow(): void {
    const table = new Uint32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let number = 0; number < this.#size; number += 1) {
      let slot = (this.#pageOf(number).hashes[number % PAGE_ITEMS] ?? 0) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = number + 1;
    }
    this.#table = table;
  }

  /** Valid until the next call. */
  #bytesOf(key: ItemKey): Buffer {
    return this.#scratch.subarray(0, this.#scratch.write(idOf(key)));
  }

  #hashOf(id: Buffer): number {
    let hash = this.#seed;
    for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ (id[at] ?? 0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) >>> 0;
  }
}

function newPage(): Page {
  return {
    names: new Uint32Array(PAGE_ITEMS),
    hashes: new Uint32Array(PAGE_ITEMS),
    offsets: new Float64Array(PAGE_ITEMS).fill(NOWHERE),
    lengths: new Uint32Array(PAGE_ITEMS),
    cuts: new Uint32Array(PAGE_ITEMS),
    cutLengths: new Uint32Array(PAGE_ITEMS),
  };
}

// No part can contain a slash: all three are path segments.
export function idOf(key: ItemKey): string {
  return `${key.groupResource}/${key.namespace ?? ''}/${key.name}`;
}

/** Items of one type and namespace are usually adjacent, and then share their strings. */
function decode(id: Buffer, last: ItemKey | undefined): ItemKey {
  const first = id.indexOf(SLASH);
  const second = id.indexOf(SLASH, first + 1);
  const type = id.toString('utf8', 0, first);
  const groupResource = type === last?.groupResource ? last.groupResource : type;
  const name = id.toString('utf8', second + 1);
  if (second === first + 1) return { groupResource, name };
  const place = id.toString('utf8', first + 1, second);
  return { groupResource, namespace: place === last?.namespace ? last.namespace : place, name };
}
