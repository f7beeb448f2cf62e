/**
 * `headway server` for bench/backup-restore.ts, with progress that reaches the cluster or not:
 * `backup-restore-server.ts KUBECONFIG HOME`. Of an operation with `-off-` in its name only the first and the last status
 * are written.
 */
import { join } from 'node:path';
import { NO_LOG, isObject, textAt } from '../src/base/index.ts';
import { loadConnection, type KubeClient, type KubeObject } from '../src/edge/kube/index.ts';
import { runServer } from '../src/main/serve/run-server.ts';
import { servedCluster } from '../src/main/serve/serve.ts';
import { stopOnSignals } from '../src/main/signals.ts';
import { systemClock } from '../src/main/system-clock.ts';

const [kubeconfig = '', home = ''] = process.argv.slice(2);

/** Answers for the API server: what it would have written is left out, so the next write is against what is there. */
function withSwitch(kube: KubeClient): KubeClient {
  const written = new Map<string, KubeObject>();
  return {
    ...kube,
    patch: async (target, patch, options) => {
      const id = `${target.type.plural}/${target.name}`;
      const { status } = patch.body as { status?: unknown };
      const known = written.get(id);
      const isProgress = isObject(status) && isObject(status['progress']) && textAt(status, 'phase') === undefined;
      if (target.name.includes('-off-') && isProgress && known !== undefined) return known;
      const answer = await kube.patch(target, patch, options);
      written.set(id, answer);
      return answer;
    },
  };
}

const connection = await loadConnection({ clock: systemClock, env: process.env, homeDir: home }, { kubeconfig });
const cluster = servedCluster(connection, 'token');
const running = await runServer(
  {
    clusters: [{ ...cluster, kube: withSwitch(cluster.kube) }],
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
