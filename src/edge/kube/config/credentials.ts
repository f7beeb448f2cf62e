import { readFile } from 'node:fs/promises';
import { AppError, messageOf, type Clock } from '../../../base/index.ts';

/** Our identity, as sent with each request or shown in the TLS handshake. */
export interface Credential {
  headers: Readonly<Record<string, string>>;
  /** PEM, from a plugin; replaces the certificate in the configuration. */
  cert?: string;
  key?: string;
}

export interface CredentialSource {
  /**
   * Returns a plain value if no waiting is needed, because it is called for every request; only a wait asks for the
   * signal.
   */
  current(until: { readonly signal: AbortSignal }): Credential | Promise<Credential>;
  /** Called after a 401 with the refused credential. True if asking again may return another one. */
  forget(refused: Credential): boolean;
}

export function staticCredential(headers: Readonly<Record<string, string>>): CredentialSource {
  const credential = { headers };
  return { current: () => credential, forget: () => false };
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** A credential and its expiry in milliseconds since 1970. */
export interface Issued {
  credential: Credential;
  until: number;
}

const ISSUE_LIMIT_MS = 60_000;

/**
 * Keeps a credential until it expires or is refused. Concurrent requests that need a new one share one issue, so that
 * has its own time limit and outlives the request that asked first; a failed one is not kept.
 */
export function cachedCredential(clock: Clock, issue: (signal: AbortSignal) => Promise<Issued>): CredentialSource {
  let kept: Issued | undefined;
  let pending: Promise<Credential> | undefined;
  const renew = async (): Promise<Credential> => {
    try {
      kept = await issue(AbortSignal.timeout(ISSUE_LIMIT_MS));
      return kept.credential;
    } finally {
      pending = undefined;
    }
  };
  return {
    current: (until) => {
      if (kept !== undefined && clock.now() < kept.until) return kept.credential;
      return unlessAborted((pending ??= renew()), until.signal);
    },
    forget: (refused) => {
      // A late answer to an old token must not discard the new one.
      if (kept?.credential === refused) kept = undefined;
      return true;
    },
  };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => {
    aborted.reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The kubelet and others replace the file; it is read again at this interval, as in client-go. */
const TOKEN_FILE_MS = 60_000;

/** A token in a file that somebody else rotates. `fallback` is used until the file was readable once. */
export function tokenFileCredential(
  clock: Clock,
  file: { path: string; label: string; fallback?: string },
): CredentialSource {
  let last = file.fallback;
  return cachedCredential(clock, async () => {
    try {
      last = await readToken(file);
    } catch (error) {
      // While the file is being replaced it may be missing or empty; the previous token is the best one available.
      if (last === undefined) throw error;
    }
    return { credential: { headers: bearer(last) }, until: clock.now() + TOKEN_FILE_MS };
  });
}

async function readToken(file: { path: string; label: string }): Promise<string> {
  let token: string;
  try {
    token = (await readFile(file.path, 'utf8')).trim();
  } catch (error) {
    throw new AppError('invalidConfig', `cannot read token file ${file.path} of ${file.label}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (token === '') throw new AppError('invalidConfig', `token file ${file.path} of ${file.label} is empty`);
  return token;
}
