/**
 * A value as a Go program has it. JavaScript's own bool, string and number (a float64) stand for themselves; everything
 * else knows its type. `undefined` is no value at all, `null` an interface that holds nothing: Go tells them apart.
 */
export type Value = undefined | null | boolean | string | number | Int | Complex | List | Mapping | Struct | Pointer;

export type Kind =
  | 'bool'
  | 'int'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint64'
  | 'float64'
  | 'complex128'
  | 'string'
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr'
  | 'interface';

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Its name in JSON; the field's own unless given. */
  readonly json?: string;
  readonly omitsEmpty?: boolean;
  /** An embedded struct, whose fields can be named as if they were here. */
  readonly isEmbedded?: boolean;
}

/** A type of Go. Two are the same if their texts are. */
export interface Type {
  readonly kind: Kind;
  /** As Go prints it, such as `map[string]interface {}`. */
  readonly text: string;
  readonly elem?: Type;
  readonly fields?: readonly Field[];
  readonly methods?: Readonly<Record<string, (receiver: Value) => Callable>>;
  /** Its `String` method, which printing uses. */
  readonly string?: (value: Value) => string;
  /** How it writes itself as Go source, for `%#v`. */
  readonly goString?: (value: Value) => string;
  /** How it writes itself to JSON, if not by its kind. */
  readonly json?: (value: Value) => string;
  /** Whether two of them are equal where `==` and reflect.DeepEqual look at what is inside. */
  readonly isSame?: (a: Value, b: Value) => boolean;
}

/** What a function may ask of the run it is called in. */
export interface Run {
  /** Counts work, about one for each value or 16 bytes made. Throws when the template has had its share. */
  spend(units: number): void;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** A function or a bound method. The evaluator has checked the arguments against the types. */
export interface Callable {
  readonly takes: readonly Type[];
  /** The type of all further arguments. */
  readonly rest?: Type;
  call(args: readonly Value[], run: Run): Value;
}

/** A whole number of any of Go's types, as small as that type. */
export class Int {
  readonly type: Type;
  readonly value: bigint;

  constructor(type: Type, value: bigint) {
    this.type = type;
    this.value = value;
  }
}

export class Complex {
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A slice. It is never changed: what would change one makes another. */
export class List {
  readonly type: Type;
  readonly isNil: boolean;
  /** What a list of bytes is made from; its items are made when they are first asked for. */
  readonly bytes: Uint8Array | undefined;
  #items: readonly Value[] | undefined;

  constructor(type: Type, items: readonly Value[] | Uint8Array, isNil = false) {
    this.type = type;
    this.isNil = isNil;
    if (items instanceof Uint8Array) this.bytes = items;
    else this.#items = items;
  }

  get length(): number {
    return this.bytes?.length ?? this.items.length;
  }

  get items(): readonly Value[] {
    const { elem = this.type } = this.type;
    this.#items ??= Array.from(this.bytes ?? [], (byte) => new Int(elem, BigInt(byte)));
    return this.#items;
  }
}

/** A map from strings. Its values may be made when they are first asked for: an object of a cluster can be large. */
export class Mapping {
  readonly type: Type;
  readonly isNil: boolean;
  readonly #entries: Map<string, Value>;
  #pending: Pending | undefined;

  constructor(
    type: Type,
    entries: Iterable<readonly [string, Value]> = [],
    { isNil = false, pending }: { isNil?: boolean; pending?: Pending } = {},
  ) {
    this.type = type;
    this.isNil = isNil;
    this.#entries = new Map(entries);
    this.#pending = pending;
  }

  get size(): number {
    return this.#pending === undefined ? this.#entries.size : this.#pending.keys.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key) || this.#pending?.keys.has(key) === true;
  }

  /** Undefined where there is none. */
  get(key: string): Value {
    if (this.#entries.has(key) || this.#pending?.keys.has(key) !== true) return this.#entries.get(key);
    const value = this.#pending.make(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Not in any order that Go promises. */
  keys(): string[] {
    return [...(this.#pending?.keys ?? this.#entries.keys())];
  }

  entries(): [string, Value][] {
    return this.keys().map((key) => [key, this.get(key)]);
  }

  set(key: string, value: Value): void {
    this.#makeAll();
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#makeAll();
    this.#entries.delete(key);
  }

  #makeAll(): void {
    for (const key of this.#pending?.keys ?? []) this.get(key);
    this.#pending = undefined;
  }
}

/** The entries of a map before anybody asked for them. */
export interface Pending {
  readonly keys: ReadonlySet<string>;
  make(key: string): Value;
}

/** A struct with the values of its exported fields; `inner` is what a type with methods keeps for itself. */
export class Struct {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;
  readonly inner: unknown;

  constructor(type: Type, fields: ReadonlyMap<string, Value>, inner?: unknown) {
    this.type = type;
    this.fields = fields;
    this.inner = inner;
  }
}

/** Nil without a target. */
export class Pointer {
  readonly type: Type;
  readonly target: Value;

  constructor(type: Type, target?: Value) {
    this.type = type;
    this.target = target;
  }
}
