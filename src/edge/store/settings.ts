import { AppError } from '../../base/index.ts';

/** The string settings of a location, read one by one; every problem is found before any is thrown. */
export class Settings {
  readonly #what: string;
  readonly #values: Readonly<Record<string, string>>;
  readonly #problems: string[] = [];

  constructor(what: string, values: Readonly<Record<string, string>>, known: readonly string[]) {
    this.#what = what;
    this.#values = values;
    for (const key of Object.keys(values)) {
      if (!known.includes(key)) this.problem(`unknown key "${key}", known are ${known.join(', ')}`);
    }
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  /** Undefined when it is absent or empty. */
  text(key: string): string | undefined {
    const value = this.has(key) ? this.#values[key] : undefined;
    return value === '' ? undefined : value;
  }

  /** The words of Go's strconv.ParseBool, as Velero takes them. */
  flag(key: string): boolean {
    const value = this.text(key);
    if (value === undefined || /^(0|f|F|false|FALSE|False)$/.test(value)) return false;
    if (/^(1|t|T|true|TRUE|True)$/.test(value)) return true;
    this.problem(`${key}: expected "true" or "false", got ${JSON.stringify(value)}`);
    return false;
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined)
      this.problem(`${key}: expected one of ${choices.join(', ')}, got ${JSON.stringify(value)}`);
    return chosen;
  }

  url(key: string): string | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    const url = URL.parse(value);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      this.problem(`${key}: expected a URL with http:// or https://, got ${JSON.stringify(value)}`);
      return undefined;
    }
    // The value may be shown in messages, so it is not repeated here either.
    if (url.username !== '' || url.password !== '')
      this.problem(`${key}: a URL with a user or password is not allowed`);
    if (url.search !== '' || url.hash !== '') this.problem(`${key}: a URL with "?" or "#" is not allowed`);
    return value;
  }

  /** Throws all that was found to be wrong. */
  check(): void {
    if (this.#problems.length === 0) return;
    throw new AppError('invalidConfig', `${this.#what}: ${this.#problems.join('; ')}`);
  }
}
