import type { Connection } from './connection.ts';
import { bearer, staticCredential } from './credentials.ts';

/**
 * The same server as another user, who is identified by a token alone. Our own identity (a client certificate, which a
 * server prefers to any token, and impersonation headers) is left out. That user also reads the error messages, so they
 * call the server by the alias.
 */
export function connectionAs(connection: Connection, token: string, alias: string): Connection {
  const { cert: _cert, key: _key, ...tls } = connection.tls;
  return { ...connection, alias, tls, headers: {}, credentials: staticCredential(bearer(token)) };
}
