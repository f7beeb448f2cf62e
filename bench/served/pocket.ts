/** A pocket cluster and a `headway server` beside it, each in a process of its own, for benches of volumes and actions. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BackupStorageLocation, NAMESPACE } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { reservePort } from '../../test/bed/ports.ts';
import { eventually } from '../../test/eventually.ts';
import { HeadwayHome, type Running } from '../../test/headway-process.ts';
import { clientFor } from '../../test/kube-client.ts';
import { objectOf } from '../../test/kube-kinds.ts';

const POCKET = 'bench';
const READY = { withinMs: 60_000 };

export interface ServedPocket extends AsyncDisposable {
  kube: KubeClient;
  /** Of the server. */
  pid: number;
  /** The directory of its stores. */
  stores: string;
}

export interface PocketWishes {
  kopia?: string;
  /** Of the server. */
  flags?: readonly string[];
}

export async function servedPocket(wishes: PocketWishes): Promise<ServedPocket> {
  const home = new HeadwayHome();
  try {
    return await start(home, wishes);
  } catch (error) {
    home[Symbol.dispose]();
    throw error;
  }
}

async function start(home: HeadwayHome, options: PocketWishes): Promise<ServedPocket> {
  const kopia = options.kopia === undefined ? [] : ['--kopia', options.kopia];
  const pocket = home.start('pocket', 'run', POCKET, '--port', String(await reservePort()), ...kopia);
  const kubeconfig = join(home.path, 'state', 'pocket', POCKET, 'kubeconfig');
  const kube = await eventually(async () => {
    if (!existsSync(kubeconfig)) throw new Error(`pocket is not ready: ${pocket.err}`);
    const client = await clientFor(kubeconfig);
    await client.get({ type: NAMESPACE, name: 'default' });
    return client;
  }, READY);
  await installCrds(kube, AbortSignal.timeout(60_000));
  await kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, 'velero'));
  const spec = { provider: 'headway.io/fs', objectStorage: { bucket: 'backups' }, default: true };
  const location = { type: BackupStorageLocation, namespace: 'velero' };
  await eventually(() => kube.create(location, objectOf(BackupStorageLocation, 'default', { spec })), READY);
  const fsRoot = join(home.path, 'state', 'stores');
  const args = ['--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '--fs-root', fsRoot];
  const server = home.start('server', ...args, ...(options.flags ?? []));
  await eventually(async () => {
    const found = await kube.get({ ...location, name: 'default' });
    if (textAt(found, 'status', 'phase') !== 'Available') throw new Error(`not available: ${server.err}`);
  }, READY);
  return {
    kube,
    pid: server.child.pid ?? 0,
    stores: fsRoot,
    [Symbol.asyncDispose]: async () => {
      await kube.close();
      await stop(server);
      await stop(pocket);
      home[Symbol.dispose]();
    },
  };
}

async function stop(running: Running): Promise<void> {
  running.child.kill('SIGTERM');
  await running.finished();
}
