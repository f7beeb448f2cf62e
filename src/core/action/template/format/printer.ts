import { FunctionProblem } from '../problem.ts';
import { compareText, fromBytes, joinText, toBytes } from '../value/go-text.ts';
import { isNil, typeOf, typeText } from '../value/inspect.ts';
import { Complex, Int, List, Mapping, Pointer, Struct, type Run, type Value } from '../value/value.ts';
import { noFlags, pad, truncate, type Flags } from './flags.ts';
import { formatInt, formatReal } from './numbers.ts';
import { canBackquote, goQuote } from './quote.ts';

/** A map can contain itself. Go's stack would overflow. */
const MAX_DEPTH = 100;
/** Addresses mean nothing here, and must not differ between two runs. */
const ADDRESS = 0xc000_000_000n;
const STRINGABLE = 'vsxXq';

/** What fmt prints for values. It collects text; `flags` are those of the verb at hand. */
export class Printer {
  flags: Flags = noFlags();
  readonly #run: Run;
  readonly #parts: string[] = [];

  constructor(run: Run) {
    this.#run = run;
  }

  write(text: string): void {
    this.#run.spend(1 + text.length / 16);
    this.#parts.push(text);
  }

  finish(): string {
    return joinText(this.#parts);
  }

  print(value: Value, verb: string): void {
    if (value === undefined || value === null) {
      if (verb === 'T' || verb === 'v') this.#padded('<nil>');
      else this.write(`%!${verb}(<nil>)`);
    } else if (verb === 'T') this.#padded(truncate(typeText(value), this.flags));
    else if (verb === 'p') this.#pointer(value, 'p');
    else if (verb === 'w') this.#bad(value, verb);
    else this.#value(value, verb, 0);
  }

  #value(value: Value, verb: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new FunctionProblem(`a value is nested deeper than ${String(MAX_DEPTH)} levels`);
    if (value === undefined || value === null) this.write(this.flags.sharpV ? 'interface {}(nil)' : '<nil>');
    else if (this.#byItself(value, verb)) return;
    else if (typeof value === 'string') this.#text(value, verb);
    else if (typeof value === 'boolean') this.#simple(value, verb, 'tv'.includes(verb) ? String(value) : undefined);
    else if (typeof value === 'number') this.#number(value, verb, formatReal(value, verb, this.flags));
    else if (value instanceof Int) this.#number(value, verb, formatInt(value, verb, this.flags));
    else if (value instanceof Complex) this.#complex(value, verb);
    else if (value instanceof List) this.#list(value, verb, depth);
    else if (value instanceof Mapping) this.#mapping(value, verb, depth);
    else if (value instanceof Struct) this.#struct(value, verb, depth);
    else this.#followed(value, verb, depth);
  }

  /** Whether its type has a String method that applies. */
  #byItself(value: Value, verb: string): boolean {
    const { string, goString } = typeOf(value) ?? {};
    if (goString !== undefined && this.flags.sharpV) {
      this.#padded(goString(value));
      return true;
    }
    if (string === undefined || this.flags.sharpV || !STRINGABLE.includes(verb)) return false;
    if (value instanceof Pointer && value.target === undefined) this.write('<nil>');
    else this.#text(string(value), verb);
    return true;
  }

  #text(text: string, verb: string): void {
    const { flags } = this;
    if (verb === 's' || (verb === 'v' && !flags.sharpV)) this.#padded(truncate(text, flags));
    else if (verb === 'v' || verb === 'q') this.#quoted(text);
    else if (verb === 'x' || verb === 'X') this.#hex(toBytes(text), verb);
    else this.#bad(text, verb);
  }

  #quoted(text: string): void {
    const cut = truncate(text, this.flags);
    const isRaw = this.flags.sharp && canBackquote(cut);
    this.#padded(isRaw ? `\`${cut}\`` : goQuote(cut, { asciiOnly: this.flags.plus }));
  }

  #hex(bytes: Uint8Array, verb: 'x' | 'X'): void {
    const { space, sharp, precision } = this.flags;
    const start = sharp ? `0${verb}` : '';
    const pairs = Array.from(bytes.subarray(0, precision ?? bytes.length), (byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    this.#run.spend(pairs.length / 4);
    const text = space ? pairs.map((pair) => start + pair).join(' ') : (pairs.length > 0 ? start : '') + pairs.join('');
    this.#padded(verb === 'X' ? text.toUpperCase() : text);
  }

  #simple(value: Value, verb: string, text: string | undefined): void {
    if (text === undefined) this.#bad(value, verb);
    else this.#padded(text);
  }

  /** It is padded already. */
  #number(value: Value, verb: string, text: string | undefined): void {
    if (text === undefined) this.#bad(value, verb);
    else this.write(text);
  }

  #complex({ real, imaginary }: Complex, verb: string): void {
    const first = formatReal(real, verb, this.flags);
    const second = formatReal(imaginary, verb, { ...this.flags, plus: true });
    if (first === undefined || second === undefined) this.#bad(new Complex(real, imaginary), verb);
    else this.write(`(${first}${second}i)`);
  }

  #list(list: List, verb: string, depth: number): void {
    const isBytes = list.type.elem?.kind === 'uint8';
    if (isBytes && 'sqxX'.includes(verb)) {
      this.#bytes(list, verb);
      return;
    }
    const { sharpV } = this.flags;
    const type = isBytes && depth === 0 ? '[]byte' : list.type.text;
    if (sharpV && list.isNil) {
      this.write(`${type}(nil)`);
      return;
    }
    this.write(sharpV ? `${type}{` : '[');
    for (const [index, item] of list.items.entries()) {
      if (index > 0) this.write(sharpV ? ', ' : ' ');
      this.#value(item, verb, depth + 1);
    }
    this.write(sharpV ? '}' : ']');
  }

  #bytes(list: List, verb: string): void {
    const bytes = list.bytes ?? Uint8Array.from(list.items, (item) => (item instanceof Int ? Number(item.value) : 0));
    if (verb === 'x' || verb === 'X') this.#hex(bytes, verb);
    else this.#text(fromBytes(bytes), verb);
  }

  #mapping(mapping: Mapping, verb: string, depth: number): void {
    const { sharpV } = this.flags;
    if (sharpV && mapping.isNil) {
      this.write(`${mapping.type.text}(nil)`);
      return;
    }
    this.write(sharpV ? `${mapping.type.text}{` : 'map[');
    for (const [index, key] of mapping.keys().toSorted(compareText).entries()) {
      if (index > 0) this.write(sharpV ? ', ' : ' ');
      this.#value(key, verb, depth + 1);
      this.write(':');
      this.#value(mapping.get(key), verb, depth + 1);
    }
    this.write(sharpV ? '}' : ']');
  }

  #struct({ type, fields }: Struct, verb: string, depth: number): void {
    const { sharpV, plusV } = this.flags;
    // What is inside is nobody's business, and not the same in two programs.
    if (type.fields === undefined) {
      this.write('{…}');
      return;
    }
    this.write(sharpV ? `${type.text}{` : '{');
    for (const [index, [name, value]] of [...fields].entries()) {
      if (index > 0) this.write(sharpV ? ', ' : ' ');
      if (sharpV || plusV) this.write(`${name}:`);
      this.#value(value, verb, depth + 1);
    }
    this.write('}');
  }

  /** What a pointer points at is shown at the top alone. */
  #followed(pointer: Pointer, verb: string, depth: number): void {
    const { target } = pointer;
    if (depth === 0 && (target instanceof Struct || target instanceof List || target instanceof Mapping)) {
      this.write('&');
      this.#value(target, verb, depth + 1);
    } else this.#pointer(pointer, verb);
  }

  #pointer(value: Value, verb: string): void {
    if (!(value instanceof Pointer || value instanceof List || value instanceof Mapping)) {
      this.#bad(value, verb);
      return;
    }
    const address = isNil(value) ? '0' : ADDRESS.toString(16);
    if (verb === 'v' && this.flags.sharpV) {
      this.write(`(${value.type.text})(${isNil(value) ? 'nil' : `0x${address}`})`);
    } else if (verb === 'v' && isNil(value)) this.#padded('<nil>');
    else if (verb === 'v' || verb === 'p') this.write(`0x${address}`);
    else this.#bad(value, verb);
  }

  #bad(value: Value, verb: string): void {
    this.write(`%!${verb}(${typeText(value)}=`);
    this.#value(value, 'v', 0);
    this.write(')');
  }

  #padded(text: string): void {
    this.write(pad(text, this.flags));
  }
}
