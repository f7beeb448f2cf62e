import { FunctionProblem } from '../problem.ts';
import { formatFloat } from '../format/float.ts';
import { compareText, plainText } from '../value/go-text.ts';
import { isNil, isTrue, typeOf } from '../value/inspect.ts';
import { Complex, Int, List, Mapping, Pointer, Struct, type Field, type Run, type Value } from '../value/value.ts';
import { base64 } from './encodings.ts';

const MAX_DEPTH = 100;

/** What Go's encoding/json cannot write; sprig writes nothing at all then. */
class Unwritable extends Error {}

/** As encoding/json writes it: keys in order, and `<`, `>` and `&` escaped. */
export function toJson(value: Value, run: Run, indent = ''): string {
  try {
    return new JsonWriter(run, indent).write(value, 0);
  } catch (error) {
    if (error instanceof Unwritable) return '';
    throw error;
  }
}

class JsonWriter {
  readonly #run: Run;
  readonly #indent: string;

  constructor(run: Run, indent: string) {
    this.#run = run;
    this.#indent = indent;
  }

  write(value: Value, depth: number): string {
    this.#run.spend(1);
    if (depth > MAX_DEPTH) throw new FunctionProblem(`a value is nested deeper than ${String(MAX_DEPTH)} levels`);
    if (value === undefined || value === null || isNil(value)) return 'null';
    const own = typeOf(value)?.json;
    if (own !== undefined) return own(value);
    if (typeof value === 'string') return quoted(value);
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number') return numberText(value);
    if (value instanceof Int) return String(value.value);
    if (value instanceof Pointer) return this.write(value.target, depth + 1);
    if (value instanceof List) return this.#list(value, depth);
    if (value instanceof Mapping) return this.#mapping(value, depth);
    if (value instanceof Complex) throw new Unwritable();
    return this.#group('{', '}', this.#fields(value, depth), depth);
  }

  #list(list: List, depth: number): string {
    if (list.type.elem?.kind === 'uint8' && list.bytes !== undefined) return `"${base64(list.bytes)}"`;
    const items = list.items.map((item) => this.write(item, depth + 1));
    return this.#group('[', ']', items, depth);
  }

  #mapping(mapping: Mapping, depth: number): string {
    const pairs = mapping
      .keys()
      .toSorted(compareText)
      .map((key) => this.#pair(key, mapping.get(key), depth));
    return this.#group('{', '}', pairs, depth);
  }

  /** In the order of the struct; those of an embedded struct without a name in JSON stand among them. */
  #fields({ type, fields }: Struct, depth: number): string[] {
    return (type.fields ?? []).flatMap((field): string[] => {
      const value = fields.get(field.name);
      if (field.json === '-' || (field.omitsEmpty === true && isOmitted(field, value))) return [];
      if (field.isEmbedded === true && field.json === undefined && value instanceof Struct) {
        return this.#fields(value, depth);
      }
      return [this.#pair(field.json ?? field.name, value, depth)];
    });
  }

  #pair(key: string, value: Value, depth: number): string {
    return `${quoted(key)}:${this.#indent === '' ? '' : ' '}${this.write(value, depth + 1)}`;
  }

  #group(open: string, close: string, parts: readonly string[], depth: number): string {
    if (this.#indent === '' || parts.length === 0) return open + parts.join(',') + close;
    const inner = `\n${this.#indent.repeat(depth + 1)}`;
    this.#run.spend((parts.length * inner.length) / 16);
    return `${open}${inner}${parts.join(`,${inner}`)}\n${this.#indent.repeat(depth)}${close}`;
  }
}

/** A struct is never empty to omitempty, but one that writes itself may say that it is. */
function isOmitted({ type }: Field, value: Value): boolean {
  return type.kind === 'struct' ? type.json?.(value) === 'null' : !isTrue(value);
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new Unwritable();
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-6 && size < 1e21)) return formatFloat(value, 'f', -1);
  // Go's e-09 is written as e-9.
  return formatFloat(value, 'e', -1).replace(/e-0(\d)$/, 'e-$1');
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quoted(text: string): string {
  const written = text.replace(/["\\\0-\x1f<>&\u2028\u2029]/g, (character) => {
    return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  const plain = plainText(written);
  // Each byte that is no UTF-8 is written as an escape; the character itself is left as it is.
  return `"${plain === written ? written : replaceBytes(written)}"`;
}

function replaceBytes(text: string): string {
  return Array.from(text, (character) => (/^[\udc80-\udcff]$/.test(character) ? '\\ufffd' : character)).join('');
}
