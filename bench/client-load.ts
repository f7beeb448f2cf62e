/**
 * One measurement of bench/client.ts in a process of its own, so that no client pays for another's garbage:
 * `client-load.ts headway|client-node URL CONCURRENCY SECONDS` with the CA in $CA prints
 * requests a second and microseconds of processor time a request.
 */
import { createKubeClient } from '../src/edge/kube/index.ts';
import { staticCredential } from '../src/edge/kube/config/credentials.ts';
import { NO_LOG } from '../src/base/index.ts';
import { systemClock } from '../src/main/system-clock.ts';

const [client = '', server = '', concurrency = '1', seconds = '1'] = process.argv.slice(2);
const ca = process.env['CA'] ?? '';
// Counted, because on a busy machine a second may be too short for the compiler.
const WARM_UP = { requests: 5000, ms: 4000 };

function headway(): () => Promise<unknown> {
  const kube = createKubeClient(
    { clock: systemClock, random: Math.random, log: NO_LOG, userAgent: 'headway-bench' },
    {
      label: 'bench',
      server,
      namespace: 'bench',
      tls: { ca, insecure: false },
      credentials: staticCredential({ authorization: 'Bearer t' }),
      headers: {},
    },
  );
  const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  return () => kube.get({ type, namespace: 'bench', name: 'one' });
}

async function clientNode(): Promise<() => Promise<unknown>> {
  const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    // It refuses plain http unless it is told not to check certificates.
    server.startsWith('https')
      ? { name: 'bench', server, caData: Buffer.from(ca).toString('base64'), skipTLSVerify: false }
      : { name: 'bench', server, skipTLSVerify: true },
    { name: 'bench', token: 't' },
  );
  const api = config.makeApiClient(CoreV1Api);
  return () => api.readNamespacedConfigMap({ namespace: 'bench', name: 'one' });
}

const get = client === 'headway' ? headway() : await clientNode();

/** Every worker asks again as soon as it was answered, until the time or the number is up. */
async function run(limit: { requests: number; ms: number }): Promise<{ perSecond: number; cpuMicros: number }> {
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (done < limit.requests && performance.now() - began < limit.ms) {
      await get();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, worker));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: (done * 1000) / (performance.now() - began), cpuMicros: (user + system) / done };
}

await run(WARM_UP);
console.log(JSON.stringify(await run({ requests: Infinity, ms: Number(seconds) * 1000 })));
process.exit(0);
