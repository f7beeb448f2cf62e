import { AppError } from '../../base/index.ts';
import { shown } from './shown.ts';

/** Enough to fix; the problems of a location with thousands of wrong keys must still fit into its status. */
const MAX_PROBLEMS = 10;

/** A location's string settings, read one by one; all problems are collected before they are thrown. */
export class Settings {
  readonly #what: string;
  readonly #values: Readonly<Record<string, string>>;
  readonly #known: readonly string[];
  readonly #problems: string[] = [];

  constructor(what: string, values: Readonly<Record<string, string>>, known: readonly string[]) {
    this.#what = what;
    this.#values = values;
    this.#known = known;
    for (const key of Object.keys(values)) {
      if (!known.includes(key)) this.problem(`unknown key ${shown(key)}`);
    }
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  /** Undefined when absent or empty. */
  text(key: string): string | undefined {
    const value = this.has(key) ? this.#values[key] : undefined;
    return value === '' ? undefined : value;
  }

  /** The values of Go's strconv.ParseBool, as Velero accepts them. */
  flag(key: string): boolean {
    const value = this.text(key);
    if (value === undefined || /^(0|f|F|false|FALSE|False)$/.test(value)) return false;
    if (/^(1|t|T|true|TRUE|True)$/.test(value)) return true;
    this.problem(`${key}: expected "true" or "false", got ${shown(value)}`);
    return false;
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined) this.problem(`${key}: expected one of ${choices.join(', ')}, got ${shown(value)}`);
    return chosen;
  }

  /** The value never appears in a message: people put passwords into URLs, even into invalid ones. */
  url(key: string): string | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    const url = URL.parse(value);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      this.problem(`${key}: expected a URL with http:// or https://, got something else`);
      return undefined;
    }
    if (url.username !== '' || url.password !== '' || /^[^?#]*@/.test(value))
      this.problem(`${key}: a URL with a user or password is not allowed`);
    if (url.search !== '' || url.hash !== '') this.problem(`${key}: a URL with "?" or "#" is not allowed`);
    return value;
  }

  /** Throws all problems found. */
  check(): void {
    if (this.#problems.length === 0) return;
    const found = this.#problems.slice(0, MAX_PROBLEMS).join('; ');
    const more = this.#problems.length > MAX_PROBLEMS ? `; and ${this.#problems.length - MAX_PROBLEMS} more` : '';
    const hint = found.includes('unknown key') ? `; known keys are ${this.#known.join(', ')}` : '';
    throw new AppError('invalidConfig', `${this.#what}: ${found}${more}${hint}`);
  }
}
