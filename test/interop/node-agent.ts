import { existsSync, readFileSync, rmSync } from 'node:fs';
import { PodVolumeBackup, PodVolumeRestore, POD, type ResourceType } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { NAMESPACE, type EngineCluster } from '../engine/engine.ts';
import { directoryOf } from '../volumes/volume-cluster.ts';
import { velero } from './pocket-velero.ts';

/** Where Velero's data path writes its result, because in a pod Kubernetes reads it from there. */
const RESULT = '/dev/termination-log';
const LOOK_MS = 200;

/**
 * Stands in for the part of Velero's node agent that makes a pod for each volume: it takes every new PodVolumeBackup and
 * PodVolumeRestore, runs Velero's own data path on the directory of the volume, and writes down what that said.
 */
export class NodeAgent implements AsyncDisposable {
  readonly #cluster: EngineCluster;
  readonly #over = new AbortController();
  readonly #working: Promise<void>;
  /** What it could not do. */
  readonly problems: string[] = [];

  constructor(cluster: EngineCluster) {
    this.#cluster = cluster;
    this.#working = this.#work();
  }

  get #kube(): KubeClient {
    return this.#cluster.kube;
  }

  async #work(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      for (const type of [PodVolumeBackup, PodVolumeRestore]) await this.#look(type);
      await systemClock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  }

  async #look(type: ResourceType): Promise<void> {
    for await (const { items } of this.#kube.list({ type, namespace: NAMESPACE })) {
      for (const object of items) if (isNew(object)) await this.#take(type, object);
    }
  }

  async #take(type: ResourceType, object: KubeObject): Promise<void> {
    const { name } = object.metadata;
    const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
    try {
      const [path, node] = await this.#place(object);
      await this.#tell(type, name, { phase: 'InProgress', startTimestamp: now() });
      const result = await dataPath(this.#cluster, { type, name, path, node });
      const totalBytes = valueAt(result, 'totalBytes') ?? 0;
      const { snapshotID } = result;
      await this.#tell(type, name, {
        ...{ phase: 'Completed', completionTimestamp: now(), progress: { totalBytes, bytesDone: totalBytes } },
        ...(type === PodVolumeBackup ? { snapshotID: snapshotID ?? '', path } : {}),
      });
    } catch (error) {
      this.problems.push(String(error));
      await this.#tell(type, name, { phase: 'Failed', message: String(error), completionTimestamp: now() });
    }
  }

  /** The directory of a pod's volume, and the node. */
  async #place(object: KubeObject): Promise<[string, string]> {
    const namespace = textAt(object, 'spec', 'pod', 'namespace') ?? '';
    const pod = await this.#kube.get({ type: POD, namespace, name: textAt(object, 'spec', 'pod', 'name') ?? '' });
    const volume = objectsAt(pod, 'spec', 'volumes').find(({ name }) => name === valueAt(object, 'spec', 'volume'));
    const claim = textAt(volume, 'persistentVolumeClaim', 'claimName') ?? '';
    return [await directoryOf(this.#kube, namespace, claim), textAt(pod, 'spec', 'nodeName') ?? ''];
  }

  async #tell(type: ResourceType, name: string, status: JsonObject): Promise<void> {
    await this.#kube.patch({ type, namespace: NAMESPACE, name }, { kind: 'merge', body: { status } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#working;
  }
}

function isNew(object: KubeObject): boolean {
  const phase = textAt(object, 'status', 'phase') ?? '';
  return phase === '' || phase === 'New';
}

async function dataPath(
  cluster: EngineCluster,
  { type, name, path, node }: { type: ResourceType; name: string; path: string; node: string },
): Promise<JsonObject> {
  const what = type === PodVolumeBackup ? 'backup' : 'restore';
  if (existsSync(RESULT)) throw new Error(`${RESULT} is there already: does another test run the data path?`);
  try {
    const args = ['pod-volume', what, `--pod-volume-${what}=${name}`, `--volume-path=${path}`, '--resource-timeout=2m'];
    await velero(cluster, [...args, `--namespace=${NAMESPACE}`], { NODE_NAME: node });
    return JSON.parse(readFileSync(RESULT, 'utf8')) as JsonObject;
  } finally {
    rmSync(RESULT, { force: true });
  }
}
