import type { Connection } from './connection.ts';
import { bearer, staticCredential } from './credentials.ts';

/**
 * The same server as somebody else, known by a token alone: what proves that we are we (a client certificate, which a
 * server believes before any token, and headers that impersonate) is left out. That somebody also reads what goes wrong,
 * so messages call the server by the alias.
 */
export function connectionAs(connection: Connection, token: string, alias: string): Connection {
  const { cert: _cert, key: _key, ...tls } = connection.tls;
  return { ...connection, alias, tls, headers: {}, credentials: staticCredential(bearer(token)) };
}
