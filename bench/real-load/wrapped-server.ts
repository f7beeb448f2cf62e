import { join } from 'node:path';
import { NO_LOG } from '../../src/base/index.ts';
import { loadConnection, type KubeClient } from '../../src/edge/kube/index.ts';
import { runServer } from '../../src/main/serve/run-server.ts';
import { servedCluster } from '../../src/main/serve/serve.ts';
import { stopOnSignals } from '../../src/main/signals.ts';
import { systemClock } from '../../src/main/system-clock.ts';

/** `headway server` with a client that a bench has wrapped, until a signal ends it. */
export async function serveWrapped(
  { kubeconfig, home }: { kubeconfig: string; home: string },
  wrap: (kube: KubeClient) => KubeClient,
): Promise<void> {
  const connection = await loadConnection({ clock: systemClock, env: process.env, homeDir: home }, { kubeconfig });
  const cluster = servedCluster(connection, 'token');
  const running = await runServer(
    {
      clusters: [{ ...cluster, kube: wrap(cluster.kube) }],
      namespace: 'velero',
      ...{ host: '127.0.0.1', port: 0 },
      pageDir: join(home, 'page'),
      forceBesideVelero: false,
      settings: { serverStatus: { serverVersion: 'bench' } },
    },
    { home, directory: join(home, 'server'), env: process.env, log: NO_LOG },
    stopOnSignals(process),
  );
  await running.ended;
  await cluster.kube.close();
}
