import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../eventually.ts';
import { ask } from './ask.ts';
import { programPath } from './cache.ts';
import type { Cluster } from './cluster.ts';
import { launch, type Launched, stop, waitFor, type Workplace } from './launch.ts';
import { partNamed } from './parts.ts';
import { reservePort } from './ports.ts';
import { run } from './run.ts';
import type { S3Facts } from './state.ts';

/** Velero's server beside a cluster. It and Headway must not act on one namespace at the same time. */
export interface Velero {
  /** Where its objects are, and the credentials in the Secret `cloud-credentials`. */
  namespace: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface VeleroOptions {
  cluster: Cluster;
  s3: S3Facts;
  /** A folder or file with CRDs to use in place of Velero's own. */
  crds?: string | undefined;
}

const NAMESPACE = 'velero';
const READY_MS = 90_000;
const LOCATION = `/apis/velero.io/v1/namespaces/${NAMESPACE}/backupstoragelocations/default`;

/** Ready when Velero says that it can use the bucket. */
export async function startVelero(place: Workplace, options: VeleroOptions): Promise<Velero> {
  await applyCrds(place, options);
  await kubectl(
    place,
    options,
    ['apply', '-f', '-'],
    objects(options.s3)
      .map((object) => stringify(object))
      .join('---\n'),
  );
  const ports = { metrics: await reservePort(), profiler: await reservePort() };
  let running: Launched | undefined;
  const velero: Velero = {
    namespace: NAMESPACE,
    stop: async () => {
      if (running !== undefined) await stop(place, running);
      running = undefined;
    },
    start: async () => {
      await velero.stop();
      running = launchServer(place, options.cluster, ports);
      await waitFor(place, running, {
        what: 'its storage location',
        timeoutMs: READY_MS,
        missing: async () => await missing(options.cluster),
      });
    },
  };
  await velero.start();
  return velero;
}

async function applyCrds(place: Workplace, options: VeleroOptions): Promise<void> {
  const args = ['install', '--crds-only', '--dry-run', '-o', 'yaml'];
  const own = options.crds === undefined;
  const manifests = own ? await run(programPath(partNamed('velero')), { args, signal: place.signal }) : '';
  const applied = await kubectl(
    place,
    options,
    // Server side, because a CRD can be larger than the annotation that a client-side apply writes.
    ['apply', '--server-side', '-o', 'name', '-f', options.crds ?? '-'],
    manifests,
  );
  const crds = applied.split('\n').filter((line) => line.startsWith('customresourcedefinition'));
  const wait = ['wait', '--for=condition=Established', '--timeout=30s', ...crds];
  // kubectl gives up at once where there are no conditions yet.
  await eventually(() => kubectl(place, options, wait), { withinMs: 30_000 });
}

function launchServer(place: Workplace, cluster: Cluster, ports: { metrics: number; profiler: number }): Launched {
  return launch(place, {
    name: `${cluster.name}-velero`,
    program: programPath(partNamed('velero')),
    args: [
      'server',
      `--namespace=${NAMESPACE}`,
      `--plugin-dir=${dirname(programPath(partNamed('velero-plugin-for-aws')))}`,
      `--metrics-address=127.0.0.1:${ports.metrics}`,
      `--profiler-address=127.0.0.1:${ports.profiler}`,
    ],
    // Velero keeps copies of Secrets below its temporary directory: one for each server.
    env: { KUBECONFIG: cluster.kubeconfig, TMPDIR: dirname(cluster.kubeconfig) },
  });
}

function objects(s3: S3Facts): object[] {
  const metadata = (name: string) => ({ name, namespace: NAMESPACE });
  const labels = { component: 'velero' };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    { apiVersion: 'v1', kind: 'Secret', metadata: metadata('cloud-credentials'), stringData: { cloud: ini(s3) } },
    {
      apiVersion: 'velero.io/v1',
      kind: 'BackupStorageLocation',
      metadata: metadata('default'),
      spec: {
        provider: 'aws',
        default: true,
        objectStorage: { bucket: s3.bucket },
        credential: { name: 'cloud-credentials', key: 'cloud' },
        config: { region: s3.region, s3ForcePathStyle: 'true', s3Url: s3.endpoint },
      },
    },
    {
      // Velero looks for its own Deployment while restoring; without it every restore is PartiallyFailed.
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata('velero'),
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'velero', image: 'velero/velero' }] },
        },
      },
    },
  ];
}

function ini(s3: S3Facts): string {
  return `[default]\naws_access_key_id=${s3.accessKey}\naws_secret_access_key=${s3.secretKey}\n`;
}

async function missing(cluster: Cluster): Promise<string | undefined> {
  const reply = await ask(`${cluster.server}${LOCATION}`, { caPem: cluster.caPem, token: cluster.token });
  if (reply?.status !== 200) return `the location answered ${reply?.status ?? 'nothing'}`;
  return reply.body.includes('"phase":"Available"') ? undefined : 'the location is not Available';
}

async function kubectl(place: Workplace, { cluster }: VeleroOptions, args: string[], input?: string): Promise<string> {
  return await run(programPath(partNamed('kubectl')), {
    args: ['--kubeconfig', cluster.kubeconfig, ...args],
    signal: place.signal,
    ...(input !== undefined && { input }),
  });
}
