import { readFile } from 'node:fs/promises';
import { AppError, messageOf, type Clock } from '../../../base/index.ts';

/** Who we are, as far as it is sent with each request or shown in the TLS handshake. */
export interface Credential {
  headers: Readonly<Record<string, string>>;
  /** PEM, from a plugin; replaces the certificate of the configuration. */
  cert?: string;
  key?: string;
}

export interface CredentialSource {
  /** A plain value whenever no waiting is needed, because it is asked for with every request. */
  current(signal: AbortSignal): Credential | Promise<Credential>;
  /** Called after a 401 with what was refused. True when asking again may bring something else. */
  forget(refused: Credential): boolean;
}

export function staticCredential(headers: Readonly<Record<string, string>>): CredentialSource {
  const credential = { headers };
  return { current: () => credential, forget: () => false };
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** A credential and until when it may be used, in milliseconds since 1970. */
export interface Issued {
  credential: Credential;
  until: number;
}

const ISSUE_LIMIT_MS = 60_000;

/**
 * Keeps a credential until it runs out or is refused. Many requests that need a new one at once share one issue,
 * so it has a limit of its own and outlives the request that asked first; one that fails is not kept.
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
    current: (signal) => {
      if (kept !== undefined && clock.now() < kept.until) return kept.credential;
      return unlessAborted((pending ??= renew()), signal);
    },
    forget: (refused) => {
      // A late answer to an old token must not throw away the new one.
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

/** The kubelet and others replace the file; this often it is read again, as in client-go. */
const TOKEN_FILE_MS = 60_000;

/**
 * A token in a file that somebody else rotates. `fallback` is used as long as the file was never readable.
 */
export function tokenFileCredential(
  clock: Clock,
  file: { path: string; label: string; fallback?: string },
): CredentialSource {
  let last = file.fallback;
  return cachedCredential(clock, async () => {
    try {
      last = await readToken(file);
    } catch (error) {
      // While the file is being replaced it may be missing or empty; the token from before is the best there is.
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
