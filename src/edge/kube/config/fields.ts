import { AppError } from '../../../base/index.ts';

/** Reads the fields of a part of a kubeconfig file; a value of the wrong type is an error that names its location. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  /** Such as `user "admin" in /home/me/.kube/config`. */
  readonly where: string;

  constructor(value: unknown, where: string) {
    if (value !== null && value !== undefined && (typeof value !== 'object' || Array.isArray(value))) {
      throw new AppError('invalidConfig', `${where}: expected a mapping, got ${nameOf(value)}`);
    }
    this.#values = (value ?? {}) as Record<string, unknown>;
    this.where = where;
  }

  has(key: string): boolean {
    return this.#values[key] !== undefined && this.#values[key] !== null;
  }

  /** Empty counts as absent, as in kubectl. */
  text(key: string): string | undefined {
    const value = this.#values[key];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.#wrong(key, 'a string', value);
    return value;
  }

  flag(key: string): boolean {
    const value = this.#values[key];
    if (value === undefined || value === null) return false;
    if (typeof value !== 'boolean') throw this.#wrong(key, 'true or false', value);
    return value;
  }

  list(key: string): readonly unknown[] {
    const value = this.#values[key];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.#wrong(key, 'a list', value);
    return value;
  }

  texts(key: string): string[] {
    return this.list(key).map((item) => {
      if (typeof item !== 'string') throw this.#wrong(key, 'a list of strings', item);
      return item;
    });
  }

  child(key: string, where: string = `${key} of ${this.where}`): Fields {
    return new Fields(this.#values[key], where);
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  // Only the type of a wrong value is reported: the value may be a secret.
  #wrong(key: string, expected: string, value: unknown): AppError {
    return new AppError('invalidConfig', `${this.where}: ${key} must be ${expected}, got ${nameOf(value)}`);
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping';
  return `a ${typeof value}`;
}
