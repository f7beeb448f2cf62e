import { createHash, randomBytes } from 'node:crypto';

/** 128 bits: more than anybody guesses, few enough that the link fits into a line of a terminal. */
const CODE_BYTES = 16;
const MAX_OPEN = 100;

/** Codes that each let one browser in, once. Only their hashes are kept. */
export class LoginLinks {
  readonly #open = new Set<string>();
  readonly #onUse: () => void;

  /** `onUse` hears of every link that is used up, so that whoever shows links can show the next one. */
  constructor(onUse: () => void = () => undefined) {
    this.#onUse = onUse;
  }

  create(): string {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const [oldest] = this.#open;
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.add(hash(code));
    return code;
  }

  /** Whether the code is one of ours that was not used; now it is. */
  use(code: string): boolean {
    const isOurs = this.#open.delete(hash(code));
    if (isOurs) this.#onUse();
    return isOurs;
  }
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
