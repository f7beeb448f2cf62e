import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupStorageLocation } from '../src/api/index.ts';
import { NO_LOG, textAt, type JsonObject } from '../src/base/index.ts';
import type { KubeClient } from '../src/edge/kube/index.ts';
import { installCrds } from '../src/main/install/crds.ts';
import { systemClock } from '../src/main/system-clock.ts';
import { startPocket } from '../src/pocket/index.ts';
import { type Bed, bed } from './bed/index.ts';
import { eventually } from './eventually.ts';
import { HeadwayHome, type Running } from './headway-process.ts';
import { clientFor } from './kube-client.ts';

/** A cluster with Headway's kinds and a default location, on which `headway server` can be started and killed. */
export interface ServedCluster extends AsyncDisposable {
  kube: KubeClient;
  kubeconfig: string;
  home: HeadwayHome;
  /** On the bed only. */
  bed?: Bed;
  /** Where the stores of provider headway.io/fs are. */
  fsRoot: string;
  /** Another process at each call; ready when the default location is available. */
  serve(...flags: string[]): Promise<Running>;
}

const core = (kind: string, plural: string, namespaced: boolean) => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const NAMESPACES = core('Namespace', 'namespaces', false);
const SECRETS = core('Secret', 'secrets', true);
const LOCATIONS = { type: BackupStorageLocation, namespace: 'velero' };

/** Pocket, and a store in a directory. */
export async function servedPocket(): Promise<ServedCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'headway-served-'));
  const pocket = await startPocket({ dir, name: 'served', port: 0, clock: systemClock, log: NO_LOG });
  const kube = await clientFor(pocket.kubeconfig);
  const spec = { provider: 'headway.io/fs', objectStorage: { bucket: 'backups' } };
  return await served({ kube, kubeconfig: pocket.kubeconfig, spec, secret: undefined }, async () => {
    await pocket.close();
    rmSync(dir, { recursive: true, force: true });
  });
}

/** The real control plane, and the real S3 server. */
export async function servedBed(): Promise<ServedCluster> {
  const b = await bed({ clusters: 1, s3: true });
  const { endpoint, accessKey, secretKey, bucket, region } = b.s3!;
  const kube = await clientFor(b.kubeconfig);
  const spec = {
    provider: 'aws',
    objectStorage: { bucket },
    config: { region, s3ForcePathStyle: 'true', s3Url: endpoint },
  };
  const secret = `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n`;
  const cluster = await served({ kube, kubeconfig: b.kubeconfig, spec, secret }, async () => {
    await b[Symbol.asyncDispose]();
  });
  return { ...cluster, bed: b };
}

interface Base {
  kube: KubeClient;
  kubeconfig: string;
  /** Of the default location. */
  spec: JsonObject;
  secret: string | undefined;
}

async function served({ kube, kubeconfig, spec, secret }: Base, end: () => Promise<void>): Promise<ServedCluster> {
  const home = new HeadwayHome();
  const fsRoot = join(home.path, 'stores');
  const processes: Running[] = [];
  await installCrds(kube, AbortSignal.timeout(60_000));
  await kube.create({ type: NAMESPACES }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'velero' } });
  if (secret !== undefined) {
    const metadata = { name: 'cloud-credentials', namespace: 'velero' };
    const body = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { cloud: secret } };
    await kube.create({ type: SECRETS, namespace: 'velero' }, body);
  }
  const location = {
    apiVersion: 'velero.io/v1',
    kind: 'BackupStorageLocation',
    metadata: { name: 'default', namespace: 'velero' },
    spec: { ...spec, default: true },
  };
  // A real server may answer 404 for a moment after a definition is established.
  await eventually(async () => await kube.create(LOCATIONS, location));
  return {
    kube,
    kubeconfig,
    home,
    fsRoot,
    serve: async (...flags) => {
      const args = ['--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0', '--fs-root', fsRoot, ...flags];
      const running = home.start('server', ...args);
      processes.push(running);
      await eventually(
        async () => {
          if (running.child.exitCode !== null) return;
          const location = await kube.get({ ...LOCATIONS, name: 'default' });
          if (textAt(location, 'status', 'phase') !== 'Available') throw new Error(`not available: ${running.err}`);
        },
        { withinMs: 60_000 },
      );
      return running;
    },
    [Symbol.asyncDispose]: async () => {
      for (const running of processes) {
        running.child.kill('SIGKILL');
        await running.finished();
      }
      await kube.close();
      home[Symbol.dispose]();
      await end();
    },
  };
}
