import { createHash, randomBytes } from 'node:crypto';

/** 128 bits: more than anybody guesses, few enough that the link fits into a line of a terminal. */
const CODE_BYTES = 16;
const MAX_KEPT = 100;

/** Codes that each let one browser in, once. Only their hashes are kept. */
export class LoginLinks {
  readonly #open = new Set<string>();
  readonly #used = new Set<string>();
  readonly #onUse: () => void;

  /** `onUse` hears of every link that is used up, so that whoever shows links can show the next one. */
  constructor(onUse: () => void = () => undefined) {
    this.#onUse = onUse;
  }

  create(): string {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    add(this.#open, hash(code));
    return code;
  }

  /** Uses the code up. Not everything that is refused was used before: an invented code never was. */
  use(code: string): 'taken' | 'used' | 'unknown' {
    const key = hash(code);
    if (!this.#open.delete(key)) return this.#used.has(key) ? 'used' : 'unknown';
    add(this.#used, key);
    this.#onUse();
    return 'taken';
  }
}

function add(codes: Set<string>, code: string): void {
  const [oldest] = codes;
  if (codes.size >= MAX_KEPT && oldest !== undefined) codes.delete(oldest);
  codes.add(code);
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
