import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

export interface User {
  name: string;
  groups: readonly string[];
}

const ADMIN_GROUPS = ['system:masters', 'system:authenticated'];

/** Who sends a request: the holder of the admin token, or of a client certificate of this cluster's own CA. */
export class Authenticator {
  readonly #token: Buffer;

  constructor(token: string) {
    this.#token = Buffer.from(token);
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
    return isAdmin ? { name: 'pocket-admin', groups: ADMIN_GROUPS } : undefined;
  }
}
