import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BackupStorageLocation,
  KINDS,
  MIGRATION_NAMESPACE,
  toCrd,
  type Backup,
  type ResourceType,
  type Restore,
} from '../../src/api/index.ts';
import { AppError, NO_LOG, textAt, type Clock, type JsonObject, type Log } from '../../src/base/index.ts';
import { watchKinds, type Caches } from '../../src/control/controllers/caches.ts';
import { OperationLogs } from '../../src/control/operation/index.ts';
import type { ControlDeps } from '../../src/control/controllers/ports.ts';
import { LocationStores } from '../../src/control/controllers/stores/index.ts';
import { DEFAULT_MOVERS, Movers, type MoverSettings } from '../../src/control/volumes/index.ts';
import { EventRecorder, Manager, NO_METRICS, Term, type Part } from '../../src/control/runtime/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import type { CredentialRules, StoreLimits } from '../../src/edge/store/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type PodProcesses } from '../../src/pocket/index.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';

export const NAMESPACE = 'velero';
const NAMESPACES: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
const CRDS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];

/** A cluster with Headway's kinds and a location in a directory; engines come and go, it stays. */
export interface EngineCluster extends AsyncDisposable {
  kube: KubeClient;
  kubeconfig: string;
  /** What the default location holds, as files. */
  bucket: string;
  directory: string;
}

/**
 * A pocket cluster with CRDs, the namespace `velero` and the location `default`, which is available. Its pods are
 * simulated unless they can be processes.
 */
export async function startCluster(pods?: PodProcesses): Promise<EngineCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'headway-engine-'));
  const stores = join(directory, 'stores');
  mkdirSync(stores);
  const dir = join(directory, 'pocket');
  const pocket = await startPocket({
    dir,
    name: 'engine',
    port: 0,
    clock: systemClock,
    log: NO_LOG,
    ...(pods === undefined ? {} : { pods }),
  });
  const kube = await clientFor(pocket.kubeconfig);
  for (const kind of KINDS) await kube.create({ type: CRDS }, toCrd(kind) as unknown as KubeObject);
  await kube.create({ type: NAMESPACES }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await createLocation(kube, 'default', { default: true });
  return {
    kube,
    kubeconfig: pocket.kubeconfig,
    bucket: join(stores, 'backups'),
    directory,
    [Symbol.asyncDispose]: async () => {
      await kube.close();
      await pocket.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** As the location's own controller leaves it, which need not run here. */
export async function createLocation(kube: KubeClient, name: string, spec: JsonObject = {}): Promise<void> {
  await kube.create(
    { type: BackupStorageLocation, namespace: NAMESPACE },
    {
      apiVersion: 'velero.io/v1',
      kind: 'BackupStorageLocation',
      metadata: { name, namespace: NAMESPACE },
      spec: { provider: 'headway.io/fs', objectStorage: { bucket: 'backups' }, ...spec },
      status: { phase: 'Available' },
    },
  );
}

export interface EngineOptions {
  /** What runs while this engine leads, such as `(deps, caches) => createBackupController({}, deps, caches).parts`. */
  controllers: (deps: ControlDeps, caches: Caches) => readonly Part[];
  /** The cluster as the controllers see it; default the cluster's own client. */
  kube?: KubeClient;
  log?: Log;
  limits?: Partial<StoreLimits>;
  credentials?: CredentialRules;
  movers?: Partial<MoverSettings>;
  clock?: Clock;
}

export interface Engine extends AsyncDisposable {
  deps: ControlDeps;
  caches: Caches;
  /** SIGTERM: what runs is told to stop and may write its last words. */
  stop(): Promise<void>;
  /** As near to SIGKILL as one process can be to itself: from now on nothing of this engine is written to status. */
  kill(): Promise<void>;
}

/** One life of the control plane in this process. A second one on the same cluster is a restart. */
export async function startEngine(cluster: EngineCluster, options: EngineOptions): Promise<Engine> {
  const { kube = cluster.kube, log = NO_LOG, clock = systemClock, limits, credentials } = options;
  const life = new AbortController();
  const killed = new AbortController();
  const term = new Term();
  const runtime = { clock, log, random: Math.random };
  const events = new EventRecorder({ component: 'headway' }, { ...runtime, kube });
  const spoolDir = mkdtempSync(join(cluster.directory, 'spool-'));
  const stores = new LocationStores({
    kube,
    namespace: NAMESPACE,
    store: { log, fsRoot: join(cluster.directory, 'stores'), limits, credentials },
  });
  const deps: ControlDeps = {
    ...runtime,
    kube,
    events,
    metrics: { ...NO_METRICS, add: () => undefined, set: () => undefined, observe: () => undefined },
    namespace: NAMESPACE,
    migrationNamespace: MIGRATION_NAMESPACE,
    stores,
    movers: new Movers(
      { uploader: 'stream', image: 'headway:test', ...DEFAULT_MOVERS, ...options.movers },
      { ...runtime, kube, namespace: NAMESPACE },
    ),
    logs: new OperationLogs(join(spoolDir, 'logs'), runtime),
    spoolDir,
    term: () => AbortSignal.any([term.signal, killed.signal]),
    mayWrite: () => !killed.signal.aborted,
  };
  const { reflectors, caches } = watchKinds(
    { velero: NAMESPACE, migration: MIGRATION_NAMESPACE },
    { ...runtime, kube },
  );
  const workers = [term, ...options.controllers(deps, caches)];
  const manager = new Manager({ sources: [...reflectors, events], workers, stopDeadlineMs: 10_000 }, runtime);
  const running = manager.run(life.signal);
  await Promise.all(reflectors.map(({ ready }) => ready));
  const stop = async (): Promise<void> => {
    life.abort(new AppError('canceled', 'the engine stops'));
    await running;
    stores.close();
  };
  const kill = async (): Promise<void> => {
    killed.abort(new AppError('canceled', 'the engine was killed'));
    await stop();
  };
  return { deps, caches, stop, kill, [Symbol.asyncDispose]: stop };
}

/** Creates a Backup or Restore in the namespace of velero.io. */
export async function request(
  kube: KubeClient,
  kind: typeof Backup | typeof Restore,
  name: string,
  object: { spec?: JsonObject; metadata?: JsonObject; status?: JsonObject } = {},
): Promise<KubeObject> {
  const { spec = {}, metadata = {}, ...more } = object;
  return await kube.create(
    { type: kind, namespace: NAMESPACE },
    {
      ...more,
      apiVersion: 'velero.io/v1',
      kind: kind.kind,
      metadata: { ...metadata, name, namespace: NAMESPACE },
      spec,
    },
  );
}

/** The object once its phase is a last one. */
export async function ended(
  kube: KubeClient,
  kind: typeof Backup | typeof Restore,
  name: string,
  withinMs = 45_000,
): Promise<KubeObject> {
  return await eventually(
    async () => {
      const object = await kube.get({ type: kind, namespace: NAMESPACE, name });
      const phase = textAt(object, 'status', 'phase') ?? 'new';
      if (!ENDED.includes(phase))
        throw new Error(`${kind.kind} ${name} is ${phase}: ${JSON.stringify(object['status'])}`);
      return object;
    },
    { withinMs },
  );
}
