import { hash } from 'node:crypto';

/** At least this many lines are remembered individually; older ones only as "not after this time". */
const REMEMBERED = 5000;
const SECOND = 1_000_000_000n;

/**
 * Knows which lines were returned, so that a replay yields only new ones. A server can replay only from a whole second,
 * so every replay begins with known lines. Time alone does not identify them: lines share a nanosecond, and a
 * container's stdout and stderr are stamped by different threads, which puts them slightly out of order. So the last
 * lines are remembered by time and content, with how often each came; an older line counts as known if it is not after
 * the newest forgotten one.
 */
export class LogLedger {
  readonly #hasUnwantedPast: boolean;
  #remembered: { key: string; nanos: bigint | undefined }[] = [];
  #forgottenUpTo: bigint | undefined;
  #newest: bigint | undefined;
  #firstLine: bigint | undefined;
  /** State of the current replay: the known lines that have not come yet, and whether any came. */
  #expected = new Map<string, number>();
  #metKnown = false;

  /**
   * `hasUnwantedPast`: lines before the first one exist and were not requested (`tail`); a replay must not return them.
   */
  constructor(hasUnwantedPast: boolean) {
    this.#hasUnwantedPast = hasUnwantedPast;
  }

  /**
   * The nanosecond at which a replay must begin: a second early, for lines stamped before and written after the newest.
   */
  get replayFrom(): bigint | undefined {
    return this.#newest === undefined ? undefined : (this.#newest / SECOND - 1n) * SECOND;
  }

  /** A new connection: everything known from there on may come once more. */
  beginReplay(): void {
    this.#metKnown = false;
    this.#expected = new Map();
    const from = this.replayFrom ?? 0n;
    for (const { key, nanos } of this.#remembered) {
      if (nanos === undefined || nanos >= from) this.#expected.set(key, (this.#expected.get(key) ?? 0) + 1);
    }
  }

  /** True when everything remembered came again, so the replay reached the point where the previous one ended. */
  get hasMetAll(): boolean {
    return this.#expected.size === 0;
  }

  /** True when the line is new; it is known from then on. A line without a time may come in every replay. */
  admit(line: string, nanos: bigint | undefined): boolean {
    const key = hash('sha1', line, 'base64');
    if (this.#expected.size > 0 && (this.#meet(key) || this.#isPast(nanos))) return false;
    this.#remember(key, nanos);
    return true;
  }

  #meet(key: string): boolean {
    const times = this.#expected.get(key);
    if (times === undefined) return false;
    if (times === 1) this.#expected.delete(key);
    else this.#expected.set(key, times - 1);
    this.#metKnown = true;
    return true;
  }

  #isPast(nanos: bigint | undefined): boolean {
    if (nanos === undefined) return false;
    if (this.#forgottenUpTo !== undefined && nanos <= this.#forgottenUpTo) return true;
    if (!this.#hasUnwantedPast || this.#firstLine === undefined) return false;
    return nanos < this.#firstLine || (nanos === this.#firstLine && !this.#metKnown);
  }

  #remember(key: string, nanos: bigint | undefined): void {
    this.#remembered.push({ key, nanos });
    this.#firstLine ??= nanos;
    this.#newest = later(this.#newest, nanos);
    if (this.#remembered.length < 2 * REMEMBERED) return;
    for (const { nanos: forgotten } of this.#remembered.splice(0, REMEMBERED)) {
      this.#forgottenUpTo = later(this.#forgottenUpTo, forgotten);
    }
  }
}

function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
