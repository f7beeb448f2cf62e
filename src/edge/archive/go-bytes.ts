import { isUtf8 } from 'node:buffer';
import { goJson } from './go-json.ts';
import { END, HEAD, IN_ORDER, JsonScan, MEMBER, NODE, VALUE } from './json-scan.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT } from './json-signs.ts';
import { compareKeys } from './json-token.ts';
import { MAX_ITEM_VALUES } from './limits.ts';

const USUAL_BYTES = 64 * 1024;
/** A call into Node costs as much as copying so many bytes here. */
const SHORT = 32;
const NOTHING: readonly Buffer[] = [];

/** What an item of a list lacks if it is of a built-in kind. */
export interface TypeNames {
  apiVersion: string;
  kind: string;
}

/** Brings the JSON of a server's list into the order in which Go writes items, without parsing it. */
export class GoBytes {
  readonly #scan = new JsonScan();
  readonly #names = new Map<string, readonly Buffer[]>();
  #out = Buffer.alloc(USUAL_BYTES);

  /**
   * The same bytes as `encodeItem` of the parsed object, with the names of its type if it lacks them; valid until the
   * next call. Undefined if they cannot be had without parsing: then `encodeItem` says what is wrong, if anything is.
   */
  encode(json: Buffer, type: TypeNames): Uint8Array | undefined {
    // Shorter ones have neither too many bytes nor too many values.
    if (json.length > 2 * MAX_ITEM_VALUES || !isUtf8(json)) return undefined;
    const root = this.#scan.read(json, { levels: 1, isSorted: false });
    if (root === undefined) return undefined;
    const hasVersion = this.#scan.find(root, 'apiVersion') !== undefined;
    if (hasVersion !== (this.#scan.find(root, 'kind') !== undefined)) return undefined;
    const names = hasVersion ? NOTHING : this.#namesOf(type);
    const length = names.reduce((sum, { length }) => sum + length + 1, json.length);
    if (length > this.#out.length) this.#out = Buffer.alloc(length + USUAL_BYTES);
    return this.#out.subarray(0, this.#write(root, 0, names));
  }

  #namesOf({ apiVersion, kind }: TypeNames): readonly Buffer[] {
    const id = `${apiVersion} ${kind}`;
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const names = [{ apiVersion }, { kind }].map((one) => Buffer.from(goJson(one).slice(1, -1)));
    this.#names.set(id, names);
    return names;
  }

  /** Returns where it ends. `names` are members that come in addition, in order. */
  #write(node: number, start: number, names: readonly Buffer[]): number {
    const { nodes, bytes } = this.#scan;
    const out = this.#out;
    const isObject = nodes[node + 1] === 1;
    const end = node + HEAD + (nodes[node] ?? 0) * MEMBER;
    let named = 0;
    let at = start;
    // Each member is written with a comma before it; the first comma becomes the bracket.
    const addName = (name: Buffer): void => {
      out[at] = COMMA;
      at += 1 + name.copy(out, at + 1);
    };
    for (let member = node + HEAD; member < end; member += MEMBER) {
      const from = nodes[member] ?? 0;
      for (let name = names[named]; name !== undefined && compareKeys(name, 0, bytes, from) < 0; name = names[named]) {
        addName(name);
        named += 1;
      }
      out[at] = COMMA;
      const child = nodes[member + NODE] ?? IN_ORDER;
      at = this.#copy(from, nodes[member + (child === IN_ORDER ? END : VALUE)] ?? 0, at + 1);
      if (child !== IN_ORDER) at = this.#write(child, at, NOTHING);
    }
    for (const name of names.slice(named)) addName(name);
    if (at === start) at += 1;
    out[start] = isObject ? OPEN_OBJECT : OPEN_LIST;
    out[at] = isObject ? CLOSE_OBJECT : CLOSE_LIST;
    return at + 1;
  }

  #copy(from: number, to: number, at: number): number {
    const { bytes } = this.#scan;
    const out = this.#out;
    if (to - from > SHORT) bytes.copy(out, at, from, to);
    else for (let index = from; index < to; index += 1) out[at + index - from] = bytes[index] ?? 0;
    return at + to - from;
  }
}
