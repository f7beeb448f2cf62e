import type { Connection } from './connection.ts';
import { bearer, staticCredential } from './credentials.ts';

/**
 * The same server as somebody else, known by a token alone: what proves that we are we (a client certificate, which a
 * server believes before any token, and headers that impersonate) is left out.
 */
export function connectionAs(connection: Connection, token: string): Connection {
  const { cert: _cert, key: _key, ...tls } = connection.tls;
  return { ...connection, tls, headers: {}, credentials: staticCredential(bearer(token)) };
}
