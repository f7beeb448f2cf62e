import { isAppError, toAppError, type AppError, type Clock } from '../../base/index.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Places } from '../places.ts';
import type { Turns } from '../turns.ts';
import type { Login } from './callers.ts';
import { askRights, type Rights } from './rights.ts';
import type { UserClients } from './user-clients.ts';

interface Checked {
  rights: Promise<Rights>;
  /** The same, once the cluster has answered. */
  answer?: Rights;
  at: number;
  /** When the cluster last answered; older than `at` while it does not. */
  confirmedAt: number;
  hasAnswered: boolean;
}

export interface BookOptions {
  clock: Clock;
  /** How old an answer may be. */
  maxAgeMs: number;
  /** How long a refusal is remembered. */
  refusedMs: number;
  /** By address: tokens that no cluster has taken yet. */
  guesses: RateLimit;
  /** For asking the clusters. */
  reviews: Turns;
  /** The namespaces that users may have to be asked about. */
  places: Places;
}

/** How soon a user is asked about again because something is seen in another namespace. */
export const NEW_PLACE_MS = 2000;
const REFUSALS = ['unauthenticated', 'forbidden'] as const;
const MAX_USERS = 1000;
const MAX_REFUSED = 10_000;
/** Being forbidden to ask is no answer either: a server that has just started forbids everything for a moment. */
const NO_ANSWER = ['unreachable', 'timeout', 'throttled', 'serverError', 'forbidden'] as const;
/** A cluster that does not answer takes nobody's rights away at once, but it cannot confirm them for ever either. */
const UNCONFIRMED_MS = 5 * 60_000;

/** What the clusters said about their users, for a while. */
export class RightsBook {
  readonly #clients: UserClients;
  readonly #options: BookOptions;
  readonly #book = new Map<string, Checked>();
  readonly #refused = new Map<string, { error: AppError; at: number }>();

  constructor(clients: UserClients, options: BookOptions) {
    this.#clients = clients;
    this.#options = options;
  }

  /** At most as old as the limit; throws `unauthenticated` when the cluster does not take the token. */
  async of(login: Login): Promise<Rights> {
    const known = this.#book.get(login.key);
    const now = this.#options.clock.now();
    if (known !== undefined && !this.#isOld(known, login, now)) return await known.rights;
    const refused = this.#refused.get(login.key);
    if (refused !== undefined && now - refused.at < this.#options.refusedMs) throw refused.error;
    const answer = known === undefined ? this.#askFirst(login) : this.#askAgain(login, known);
    const checked: Checked = {
      at: now,
      confirmedAt: known?.confirmedAt ?? now,
      hasAnswered: known !== undefined && known.hasAnswered,
      rights: answer.then(({ rights }) => rights),
    };
    // Whoever waits hears of it; the book itself is nobody who could handle it.
    checked.rights.catch(() => undefined);
    put(this.#book, login.key, checked, MAX_USERS);
    try {
      const { rights, isConfirmed } = await answer;
      if (isConfirmed) checked.confirmedAt = now;
      checked.hasAnswered = true;
      checked.answer = rights;
      return rights;
    } catch (error) {
      if (this.#book.get(login.key) === checked) this.#book.delete(login.key);
      this.#remember(login, error);
      throw error;
    }
  }

  /** Also when something is seen where nobody has asked about them yet. */
  #isOld({ at, answer }: Checked, { cluster }: Login, now: number): boolean {
    const { maxAgeMs, places } = this.#options;
    const age = now - at;
    if (age >= maxAgeMs) return true;
    const asked = answer?.asked;
    return asked !== undefined && age >= NEW_PLACE_MS && places.hasMoreThan(cluster.name, asked);
  }

  /** Whether the cluster has taken this user before. */
  knows({ key }: Login): boolean {
    return this.#book.get(key)?.hasAnswered === true;
  }

  /** Nobody knows yet whether this is a user or somebody who tries one token after the other. */
  async #askFirst(login: Login): Promise<{ rights: Rights; isConfirmed: boolean }> {
    const { guesses } = this.#options;
    const isGuess = login.token !== undefined;
    if (isGuess) guesses.take(login.address);
    let isRefused = false;
    try {
      return { rights: await this.#ask(login), isConfirmed: true };
    } catch (error) {
      isRefused = isAppError(error, ...REFUSALS);
      throw error;
    } finally {
      // Only what was refused was a guess; a cluster that is away is nobody's fault here.
      if (isGuess && !isRefused) guesses.giveBack(login.address);
    }
  }

  async #askAgain(login: Login, before: Checked): Promise<{ rights: Rights; isConfirmed: boolean }> {
    try {
      return { rights: await this.#ask(login), isConfirmed: true };
    } catch (error) {
      if (!isAppError(error, ...NO_ANSWER)) throw error;
      if (this.#options.clock.now() - before.confirmedAt > UNCONFIRMED_MS) throw error;
      return { rights: await before.rights, isConfirmed: false };
    }
  }

  async #ask(login: Login): Promise<Rights> {
    // Shared by everybody who waits for the same answer, so it does not end with the request of one of them.
    const signal = new AbortController().signal;
    const taker = { who: login.key, address: login.address };
    const { reviews, places } = this.#options;
    const ask = (): Promise<Rights> => askRights(this.#clients.of(login), login.cluster, places.of(login.cluster.name));
    return await reviews.run(taker, ask, signal);
  }

  #remember(login: Login, thrown: unknown): void {
    if (!isAppError(thrown, ...REFUSALS)) return;
    put(this.#refused, login.key, { error: toAppError(thrown), at: this.#options.clock.now() }, MAX_REFUSED);
    void this.#clients.forget(login);
  }
}

/** The one that was put in first goes when there are too many. */
function put<T>(book: Map<string, T>, key: string, value: T, max: number): void {
  book.delete(key);
  book.set(key, value);
  const [oldest] = book.keys();
  if (book.size > max && oldest !== undefined) book.delete(oldest);
}
