/**
 * Checks of plain values, for what a mover reads: zod would be two thirds of its program, and one is started for every
 * volume (docs/adr/0031).
 */
export type Shape<T> = (value: unknown, at: string) => T;
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** What is wrong, and where. */
export class Misfit extends Error {
  constructor(at: string, expected: string) {
    super(`${at === '' ? 'it' : at}: expected ${expected}`);
  }
}

export function text({ min = 0, max }: { min?: number; max: number }): Shape<string> {
  return (value, at) => {
    if (typeof value === 'string' && value.length >= min && value.length <= max) return value;
    throw new Misfit(at, `a text of ${min} to ${max} characters`);
  };
}

/** A text for which this holds. */
export function textThat(holds: (value: string) => boolean, expected: string): Shape<string> {
  return (value, at) => {
    if (typeof value === 'string' && holds(value)) return value;
    throw new Misfit(at, expected);
  };
}

export function whole({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }): Shape<number> {
  return (value, at) => {
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return value as number;
    throw new Misfit(at, `a whole number from ${min} to ${max}`);
  };
}

export const flag: Shape<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw new Misfit(at, 'true or false');
};

export function literal<const T extends string>(word: T): Shape<T> {
  return (value, at) => {
    if (value === word) return word;
    throw new Misfit(at, word);
  };
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === undefined ? undefined : shape(value, at));
}

export function list<T>(shape: Shape<T>, { max }: { max: number }): Shape<T[]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length > max) throw new Misfit(at, `a list of at most ${max}`);
    return value.map((element, index) => shape(element, `${at}.${index}`));
  };
}

/** Texts by keys of such a form. */
export function texts(key: RegExp, shape: Shape<string>): Shape<Record<string, string>> {
  return (value, at) => {
    for (const [name, element] of Object.entries(plain(value, at))) {
      if (!key.test(name)) throw new Misfit(at, `keys like ${String(key)}`);
      shape(element, `${at}.${name}`);
    }
    return value as Record<string, string>;
  };
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type MayLack<F extends Fields> = { [K in keyof F]: undefined extends ShapeOf<F[K]> ? K : never }[keyof F];
type Simple<T> = { [K in keyof T]: T[K] };
export type ObjectOf<F extends Fields> = Simple<
  { [K in Exclude<keyof F, MayLack<F>>]: ShapeOf<F[K]> } & { [K in MayLack<F>]?: ShapeOf<F[K]> }
>;

/** These fields, and no others. */
export function object<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  return (value, at) => {
    const found = plain(value, at);
    const unknown = Object.keys(found).find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined) throw new Misfit(below(at, unknown), 'no such field');
    for (const [name, shape] of Object.entries(fields)) {
      shape(Object.hasOwn(found, name) ? found[name] : undefined, below(at, name));
    }
    return found as ObjectOf<F>;
  };
}

/** What the text in this field chooses. */
export function oneOf<V extends Fields>(field: string, variants: V): Shape<ShapeOf<V[keyof V]>> {
  return (value, at) => {
    const found = plain(value, at);
    const word = Object.hasOwn(found, field) ? found[field] : undefined;
    const shape = typeof word === 'string' && Object.hasOwn(variants, word) ? variants[word] : undefined;
    if (shape === undefined) throw new Misfit(below(at, field), Object.keys(variants).join(' or '));
    return shape(value, at) as ShapeOf<V[keyof V]>;
  };
}

function plain(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Misfit(at, 'an object');
}

function below(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
