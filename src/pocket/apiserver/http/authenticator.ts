import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { AccountTokens } from '../tokens/index.ts';

export interface User {
  name: string;
  groups: readonly string[];
}

const ADMIN_GROUPS = ['system:masters', 'system:authenticated'];

/** Who sends a request: the holder of the admin's or a service account's token, or of a certificate of this cluster's CA. */
export class Authenticator {
  readonly #token: Buffer;
  readonly #accounts: AccountTokens;

  constructor(token: string, accounts: AccountTokens) {
    this.#token = Buffer.from(token);
    this.#accounts = accounts;
  }

  /** Undefined when the caller is nobody this cluster knows. */
  identify(request: IncomingMessage): User | undefined {
    const header = request.headers.authorization ?? '';
    if (/^bearer /i.test(header)) return this.ofToken(header.slice('bearer '.length).trim());
    const { socket } = request;
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const name = socket.getPeerCertificate().subject?.CN;
    return typeof name === 'string' && name !== '' ? { name, groups: ADMIN_GROUPS } : undefined;
  }

  ofToken(token: string): User | undefined {
    const given = Buffer.from(token);
    // Only the length can be learned from the time this takes, and that is no secret.
    const isAdmin = given.length === this.#token.length && timingSafeEqual(given, this.#token);
    return isAdmin ? { name: 'pocket-admin', groups: ADMIN_GROUPS } : this.#accounts.identify(token);
  }
}
