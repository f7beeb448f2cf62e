import { createHash, randomBytes } from 'node:crypto';
import { AppError, type Clock } from '../../base/index.ts';

const VALID_MS = 10 * 60_000;
const MAX_OPEN = 100;

/** Codes that each let one browser in, once, for ten minutes. Only their hashes are kept. */
export class LoginLinks {
  readonly #clock: Clock;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  create(): string {
    const code = randomBytes(32).toString('base64url');
    const oldest = this.#open.keys().next().value;
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(hash(code), this.#clock.now() + VALID_MS);
    return code;
  }

  /** Throws unless the code is one of ours, not used and not too old. */
  use(code: string): void {
    const key = hash(code);
    const until = this.#open.get(key);
    this.#open.delete(key);
    if (until !== undefined && this.#clock.now() < until) return;
    throw new AppError(
      'unauthenticated',
      'log in with this link: it was used, is older than 10 minutes, or is not ours',
      {
        details: { hint: 'Restart Headway where it runs; it prints a new link' },
      },
    );
  }
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
