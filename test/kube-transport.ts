import { NO_LOG, type Clock } from '../src/base/index.ts';
import { bearer, staticCredential, type CredentialSource } from '../src/edge/kube/config/credentials.ts';
import { createTransport } from '../src/edge/kube/transport/undici-transport.ts';
import type { Transport } from '../src/edge/kube/transport/transport.ts';

/** Real time for what is measured, none for waiting between attempts. */
export const impatientClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  sleep: (_ms, signal) => (signal?.aborted === true ? Promise.reject(signal.reason) : Promise.resolve()),
};

/** Our transport to a server of a test, with a token. */
export function transportTo(
  server: string,
  options: { ca?: string; clock?: Clock; token?: string; credentials?: CredentialSource } = {},
): Transport {
  return createTransport(
    { clock: options.clock ?? impatientClock, random: () => 0, log: NO_LOG, userAgent: 'headway-test' },
    {
      label: `test server ${server}`,
      server,
      namespace: 'default',
      tls: { insecure: false, ...(options.ca === undefined ? {} : { ca: options.ca }) },
      credentials: options.credentials ?? staticCredential(bearer(options.token ?? 'secret')),
      headers: {},
    },
  );
}
