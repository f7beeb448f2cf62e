import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BackupStorageLocation, type ResourceType } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { programPath } from '../bed/cache.ts';
import { partNamed } from '../bed/parts.ts';
import { reservePort } from '../bed/ports.ts';
import { run } from '../bed/index.ts';
import { NAMESPACE, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { DEPLOYMENTS, objectOf } from '../kube-kinds.ts';

const VELERO = programPath(partNamed('velero'));
const DAEMON_SETS: ResourceType = {
  ...{ group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
};

/** Real Velero beside a pocket cluster: its server as a process, and its command line. Headway must not run meanwhile. */
export class PocketVelero implements AsyncDisposable {
  readonly #cluster: EngineCluster;
  readonly #child: ChildProcess;

  private constructor(cluster: EngineCluster, child: ChildProcess) {
    this.#cluster = cluster;
    this.#child = child;
  }

  /** What Velero expects of a cluster that it is installed in, with a node agent that does nothing. */
  static async prepare(kube: KubeClient): Promise<void> {
    const pods = (role: string) => {
      const containers = [{ name: 'velero', image: 'velero/velero' }];
      return {
        selector: { matchLabels: { role } },
        template: { metadata: { labels: { role } }, spec: { containers } },
      };
    };
    const deployment = objectOf(DEPLOYMENTS, 'velero', { spec: { replicas: 0, ...pods('server') } });
    await kube.create({ type: DEPLOYMENTS, namespace: NAMESPACE }, deployment);
    const agent = objectOf(DAEMON_SETS, 'node-agent', { spec: pods('node-agent') });
    await kube.create({ type: DAEMON_SETS, namespace: NAMESPACE }, agent);
  }

  static async start(cluster: EngineCluster, location: string): Promise<PocketVelero> {
    const { directory, kube, kubeconfig } = cluster;
    const home = join(directory, 'velero');
    mkdirSync(home, { recursive: true });
    const log = join(home, 'log');
    const output = openSync(log, 'a');
    const child = spawn(
      VELERO,
      [
        ...['server', `--namespace=${NAMESPACE}`, '--default-backup-storage-location', location],
        `--plugin-dir=${dirname(programPath(partNamed('velero-plugin-for-aws')))}`,
        `--metrics-address=127.0.0.1:${await reservePort()}`,
        `--profiler-address=127.0.0.1:${await reservePort()}`,
      ],
      { env: environment(kubeconfig, home), stdio: ['ignore', output, output] },
    );
    closeSync(output);
    const velero = new PocketVelero(cluster, child);
    const since = new Date().toISOString();
    await eventually(
      async () => {
        const found = await kube.get({ type: BackupStorageLocation, namespace: NAMESPACE, name: location });
        const isFresh = (textAt(found, 'status', 'lastValidationTime') ?? '') >= since.slice(0, 19);
        if (!isFresh || textAt(found, 'status', 'phase') !== 'Available') throw new Error(tail(log));
      },
      { withinMs: 60_000 },
    );
    return velero;
  }

  /** The end of the server's log. */
  get log(): string {
    return tail(join(this.#cluster.directory, 'velero/log'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** The stock command line, or one of Velero's processes, on a cluster. */
export async function velero(
  cluster: EngineCluster,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const home = join(cluster.directory, 'velero');
  mkdirSync(home, { recursive: true });
  return await run(VELERO, { args, env: { ...environment(cluster.kubeconfig, home), ...env }, timeoutMs: 120_000 });
}

/** Velero keeps copies of Secrets below its temporary directory. */
function environment(kubeconfig: string, home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', KUBECONFIG: kubeconfig, HOME: home, TMPDIR: home, GOMEMLIMIT: '1GiB' };
}

function tail(log: string): string {
  return readFileSync(log, 'utf8').split('\n').slice(-15).join('\n');
}
