import { AppError } from '../../base/index.ts';
import { shown } from './shown.ts';

/** Enough to mend; a location with thousands of wrong keys must still fit into its own status. */
const MAX_PROBLEMS = 10;

/** The string settings of a location, read one by one; every problem is found before any is thrown. */
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

  /** What it says is in no message: people write passwords into URLs, also into those that are none. */
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

  /** Throws all that was found to be wrong. */
  check(): void {
    if (this.#problems.length === 0) return;
    const found = this.#problems.slice(0, MAX_PROBLEMS).join('; ');
    const more = this.#problems.length > MAX_PROBLEMS ? `; and ${this.#problems.length - MAX_PROBLEMS} more` : '';
    const hint = found.includes('unknown key') ? `; known keys are ${this.#known.join(', ')}` : '';
    throw new AppError('invalidConfig', `${this.#what}: ${found}${more}${hint}`);
  }
}
