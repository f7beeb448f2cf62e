import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/index.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { isSameText, Seal } from './seal.ts';

/** One cluster that a browser is logged in to. */
export interface CookieLogin {
  cluster: string;
  /** Absent: in the server's own name, by a one-time link. */
  token?: string;
}

export interface CookieSession {
  id: string;
  logins: CookieLogin[];
  /** When the first of its cookies expires. */
  until: number;
}

export const SESSION_MS: number = 24 * 3_600_000;

/**
 * Sessions live sealed in the browser's cookies, one for each cluster: they outlive a restart, and nothing of them is
 * kept here but which were logged out.
 */
export class SessionCookies {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #isTls: boolean;
  readonly #prefix: string;
  readonly #ended: EndedSessions;

  constructor(key: Uint8Array, options: { clock: Clock; isTls: boolean; ended: EndedSessions }) {
    this.#seal = new Seal(key, 'session');
    this.#clock = options.clock;
    this.#isTls = options.isTls;
    this.#ended = options.ended;
    // The prefix makes browsers refuse a cookie of that name from anybody but this very host over TLS.
    this.#prefix = `${options.isTls ? '__Host-' : ''}headway-${this.#seal.fingerprint}`;
  }

  read(request: IncomingMessage): CookieSession | undefined {
    const contents = this.#cookies(request).flatMap((text) => {
      const content = this.#seal.open(text);
      return content === undefined ? [] : [content];
    });
    const now = this.#clock.now();
    const logins: CookieLogin[] = [];
    let id: string | undefined;
    let until = Infinity;
    for (const { session, cluster, token, at } of contents) {
      if (typeof session !== 'string' || typeof cluster !== 'string' || typeof at !== 'number') continue;
      if (now - at > SESSION_MS || this.#ended.has(session, at) || (id !== undefined && id !== session)) continue;
      id = session;
      until = Math.min(until, at + SESSION_MS);
      logins.push({ cluster, ...(typeof token === 'string' ? { token } : {}) });
    }
    return id === undefined ? undefined : { id, logins, until };
  }

  /** The `set-cookie` headers that add logins to a session, or begin one. */
  write(session: CookieSession | undefined, logins: readonly CookieLogin[]): string[] {
    const id = session?.id ?? randomBytes(24).toString('base64url');
    const at = this.#clock.now();
    return logins.map((login) => {
      const value = this.#seal.close({ session: id, at, ...login });
      return `${this.#name(login.cluster)}=${value}; ${this.#attributes()}`;
    });
  }

  /** The `set-cookie` headers that end a session; its cookies are not taken any more, wherever they were copied to. */
  end(session: CookieSession): string[] {
    this.#ended.end(session.id);
    return session.logins.map(({ cluster }) => `${this.#name(cluster)}=; Max-Age=0; ${this.#attributes()}`);
  }

  /** Calls back once, when the session is logged out or expires. Returns the way out. */
  onEnd(session: CookieSession, tell: () => void): () => void {
    const isOver = new AbortController();
    const leave = this.#ended.onEnd(session.id, tell);
    // The only rejection is that of the signal, after which nobody wants to hear anything.
    this.#clock.sleep(session.until - this.#clock.now(), isOver.signal).then(tell, () => undefined);
    return () => {
      isOver.abort();
      leave();
    };
  }

  csrfOf(session: CookieSession): string {
    return this.#seal.mac(`csrf ${session.id}`);
  }

  isCsrf(session: CookieSession, token: string): boolean {
    return isSameText(this.csrfOf(session), token);
  }

  #attributes(): string {
    return `Path=/; HttpOnly; SameSite=Strict${this.#isTls ? '; Secure' : ''}`;
  }

  #name(cluster: string): string {
    return `${this.#prefix}-${createHash('sha256').update(cluster).digest('hex').slice(0, 8)}`;
  }

  #cookies(request: IncomingMessage): string[] {
    return (request.headers.cookie ?? '').split(';').flatMap((pair) => {
      const at = pair.indexOf('=');
      return pair.slice(0, at).trim().startsWith(`${this.#prefix}-`) ? [pair.slice(at + 1).trim()] : [];
    });
  }
}
