import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import { URGENT_BEYOND } from './in-flight.ts';
import type { TlsOptions } from './tls.ts';

/** Sockets to one server as one user. */
export interface Pools {
  readonly tls: TlsOptions;
  /** For short requests; there are as many connections as may be in flight, urgent ones too. */
  readonly requests: Dispatcher;
  /** For watches, logs and other long answers, so that they never take connections from requests. */
  readonly streams: Dispatcher;
  /** For websockets, if there is a proxy. */
  readonly websocketAgent: HttpAgent | undefined;
  /** Accepts no more requests; those in flight finish. */
  retire(): Promise<void>;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/** Besides those for urgent requests. */
export const CONNECTIONS = 64;
// Below the 60 s after which common load balancers silently drop idle connections.
const IDLE_MS = 55_000;

export function openPools(server: URL, tls: TlsOptions, proxy: string | undefined): Pools {
  const limits = {
    // We set the deadlines, one over all attempts; undici's per-phase limits would cut watches.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    // undici's HTTP/2 was four times slower (DESIGN §1.7).
    allowH2: false,
  };
  // One for all connections: each would read the certificates for itself, and keep what it has read.
  const { ca, cert, key, ...others } = tls;
  const shared = { ...others, secureContext: createSecureContext({ ca, cert, key }) };
  const open = (connections: number | null): Dispatcher =>
    proxy === undefined
      ? new Agent({ ...limits, connections, connect: shared })
      : new ProxyAgent({ ...limits, connections, uri: proxy, requestTls: shared });
  const requests = open(CONNECTIONS + URGENT_BEYOND);
  const streams = open(null);
  const sockets = proxy === undefined ? undefined : websocketAgent(server, tls, proxy);
  return {
    tls,
    requests,
    streams,
    websocketAgent: sockets,
    retire: async () => {
      await Promise.all([requests.close(), streams.close()]);
    },
    close: async () => {
      sockets?.destroy();
      await Promise.all([requests.destroy(), streams.destroy()]);
    },
  };
}

function websocketAgent(server: URL, tls: TlsOptions, proxy: string): HttpAgent {
  return server.protocol === 'https:'
    ? new HttpsAgent({ ...tls, proxyEnv: { HTTPS_PROXY: proxy } })
    : new HttpAgent({ proxyEnv: { HTTP_PROXY: proxy } });
}
