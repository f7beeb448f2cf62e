import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { objectAt, parseJson, valueAt, type Clock, type Json } from '../../base/index.ts';

/** Half a megabyte, written whole at each log-out. */
const MAX_ENDED = 10_000;

export interface EndedOptions {
  /** Kept here, so that a cookie that was logged out is not good again after a restart. */
  file: string;
  clock: Clock;
  /** After that the cookies of a session are too old anyhow, and nobody need remember that it has ended. */
  lifetimeMs: number;
  /** So many are remembered one by one. */
  max?: number;
}

/** Which sessions were logged out, until their cookies expire. */
export class EndedSessions {
  readonly #options: EndedOptions;
  /** The time of each log-out by the session's id, the oldest first. */
  readonly #ended = new Map<string, number>();
  readonly #listeners = new Map<string, Set<() => void>>();
  /** Sessions up to here count as ended too, because there were more than can be remembered one by one. */
  #allUntil = 0;

  constructor(options: EndedOptions) {
    this.#options = options;
    this.#read();
  }

  /** `begunAt`: of the cookie that is looked at. */
  has(id: string, begunAt: number): boolean {
    return this.#ended.has(id) || begunAt <= this.#allUntil;
  }

  end(id: string): void {
    const { clock, lifetimeMs, max = MAX_ENDED } = this.#options;
    const now = clock.now();
    this.#ended.delete(id);
    this.#ended.set(id, now);
    for (const [old, at] of this.#ended) {
      const isTooMuch = this.#ended.size > max;
      if (!isTooMuch && now - at <= lifetimeMs) break;
      this.#ended.delete(old);
      if (isTooMuch) this.#allUntil = Math.max(this.#allUntil, at);
    }
    this.#write();
    for (const tell of this.#listeners.get(id) ?? []) tell();
  }

  /** Hears of the log-out. Returns the way out. */
  onEnd(id: string, tell: () => void): () => void {
    const all = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, all.add(tell));
    return () => {
      all.delete(tell);
      if (all.size === 0 && this.#listeners.get(id) === all) this.#listeners.delete(id);
    };
  }

  #read(): void {
    let kept: Json;
    try {
      kept = parseJson(readFileSync(this.#options.file, 'utf8')) as Json;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
      if (!(error instanceof SyntaxError)) throw error;
      // Nobody knows any more which have ended, so all have.
      this.#allUntil = this.#options.clock.now();
      return;
    }
    const until = valueAt(kept, 'allUntil');
    if (typeof until === 'number') this.#allUntil = until;
    const ended = Object.entries(objectAt(kept, 'ended'));
    const times = ended.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    for (const [id, at] of times.toSorted((a, b) => a[1] - b[1])) this.#ended.set(id, at);
  }

  #write(): void {
    const { file } = this.#options;
    const content = { allUntil: this.#allUntil, ended: Object.fromEntries(this.#ended) };
    writeFileSync(`${file}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}
