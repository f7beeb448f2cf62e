import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/index.ts';
import { addressOf } from '../http/address.ts';
import type { ClusterPort } from '../ports.ts';
import type { CookieSession, SessionCookies } from './session-cookies.ts';

/** One cluster as one user. */
export interface Login {
  cluster: ClusterPort;
  /** Absent: in the server's own name, by a one-time link. */
  token?: string;
  /** Equal for equal users of equal clusters; tells nothing of the token. */
  key: string;
  /** Where they ask from. */
  address: string;
}

/** Who asks, as far as they said; whether it is true, each cluster decides. */
export interface Caller {
  /** By cluster: a token is for the one it was given for and for no other. */
  logins: ReadonlyMap<string, Login>;
  session?: CookieSession;
  /** Whom rate limits are for. */
  key: string;
  address: string;
}

const CLUSTER_HEADER = 'x-headway-cluster';
const MAX_TOKEN = 16 * 1024;

export class Callers {
  readonly #clusters: ReadonlyMap<string, ClusterPort>;
  readonly #cookies: SessionCookies;

  constructor(clusters: readonly ClusterPort[], cookies: SessionCookies) {
    this.#clusters = new Map(clusters.map((cluster) => [cluster.name, cluster]));
    this.#cookies = cookies;
  }

  /** A bearer token comes before cookies: who sends one means it. */
  callerOf(request: IncomingMessage): Caller {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined) return this.#bearer(bearer, request);
    if (request.headers.authorization !== undefined) {
      throw new AppError('unauthenticated', 'log in: expected the header "authorization: Bearer TOKEN"');
    }
    return this.#cookie(request);
  }

  loginTo(clusterName: string, token: string, address: string): Login {
    if (token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token)) {
      throw new AppError('unauthenticated', 'log in: this is no token');
    }
    const cluster = this.cluster(clusterName);
    return { cluster, token, key: keyOf(cluster, token), address };
  }

  cluster(name: string): ClusterPort {
    const found = this.#clusters.get(name);
    if (found !== undefined) return found;
    throw new AppError(
      'notFound',
      `find cluster ${JSON.stringify(name.slice(0, 200))}: this server has no such cluster`,
      {
        details: { hint: `It has: ${[...this.#clusters.keys()].join(', ')}` },
      },
    );
  }

  #bearer(token: string, request: IncomingMessage): Caller {
    const [first, second] = this.#clusters.keys();
    const header = request.headers[CLUSTER_HEADER];
    const named = Array.isArray(header) ? header[0] : header;
    const cluster = named ?? (second === undefined ? first : undefined);
    if (cluster === undefined) {
      throw new AppError('usage', `send a token: this server has several clusters, name one in ${CLUSTER_HEADER}`, {
        details: { hint: `It has: ${[...this.#clusters.keys()].join(', ')}` },
      });
    }
    const address = addressOf(request);
    const login = this.loginTo(cluster, token, address);
    return { logins: new Map([[cluster, login]]), key: login.key, address };
  }

  #cookie(request: IncomingMessage): Caller {
    const session = this.#cookies.read(request);
    if (session === undefined) return nobody(request);
    const address = addressOf(request);
    const logins = session.logins.flatMap(({ cluster: name, token }) => {
      const cluster = this.#clusters.get(name);
      // A cluster that was taken away, or that no longer lets links in.
      if (cluster === undefined || (token === undefined && cluster.login !== 'link')) return [];
      return [{ cluster, key: keyOf(cluster, token), address, ...(token === undefined ? {} : { token }) }];
    });
    return { logins: new Map(logins.map((login) => [login.cluster.name, login])), session, key: session.id, address };
  }
}

/** A caller who has not said who they are. */
export function nobody(request: IncomingMessage): Caller {
  const address = addressOf(request);
  return { logins: new Map(), key: `address ${address}`, address };
}

function keyOf(cluster: ClusterPort, token: string | undefined): string {
  const hash = createHash('sha256').update(cluster.name).update('\0');
  return hash.update(token === undefined ? '\0own' : token).digest('hex');
}
