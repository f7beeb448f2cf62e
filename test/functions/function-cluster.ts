import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ActionSet, PERSISTENT_VOLUME_CLAIM, POD, Profile, SECRET } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { ActionCluster, errorOf, on, phasesOf, SPACE } from '../action/action-cluster.ts';
import { programPath } from '../bed/cache.ts';
import { partNamed } from '../bed/parts.ts';
import { eventually } from '../eventually.ts';
import { objectOf } from '../kube-kinds.ts';
import { podClusters, sayIn, type PodClusterKind } from '../pod-clusters.ts';

/** With a shell, and on the kubelet with kopia, restic and kando. */
const IMAGES = { pocket: 'debian', kubelet: 'docker.io/library/headway:dev' } as const;
type Tool = 'kopia' | 'restic';
const TOOLS: readonly Tool[] = ['kopia', 'restic'];
/** Where pods find the store. */
const STORE = '/store';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Begun {
  profile?: string;
  /** Fields of the action. */
  action?: JsonObject;
  metadata?: JsonObject;
}

/** A cluster whose pods have kopia and restic, and a store in a directory of the node. */
export class FunctionCluster implements AsyncDisposable {
  readonly actions: ActionCluster;
  readonly kube: KubeClient;
  readonly store = mkdtempSync(join(tmpdir(), 'headway-functions-'));

  readonly image: string;
  readonly #kind: PodClusterKind['name'];

  /** On pocket unless told otherwise. */
  static async start(kind?: PodClusterKind): Promise<FunctionCluster> {
    const wanted = kind ?? (await podClusters()).find(({ name }) => name === 'pocket')!;
    const cluster = new FunctionCluster(await ActionCluster.start(wanted), wanted.name);
    await cluster.actions.bed?.clusters[0]?.node?.load('headway');
    return cluster;
  }

  private constructor(actions: ActionCluster, kind: PodClusterKind['name']) {
    this.actions = actions;
    this.kube = actions.kube;
    this.#kind = kind;
    this.image = IMAGES[kind];
  }

  /** What pods need here, as an ActionSet overrides them. */
  podSpec(container = 'container', tools = TOOLS): JsonObject {
    // On the kubelet, its image has the tools.
    if (this.#kind === 'kubelet') return this.storeSpec(container);
    const all = [
      [STORE, this.store],
      ...tools.map((tool) => [`/tools/${tool}`, dirname(programPath(partNamed(tool)))]),
    ];
    const path = [SYSTEM_PATH, ...tools.map((tool) => `/tools/${tool}`)].join(':');
    return {
      containers: [
        {
          name: container,
          volumeMounts: all.map(([mountPath], index) => ({ name: `own-${String(index)}`, mountPath })),
          env: [{ name: 'PATH', value: path }],
        },
      ],
      volumes: all.map(([, path], index) => ({ name: `own-${String(index)}`, hostPath: { path } })),
    };
  }

  /** The store alone, for pods that use `kando`. */
  storeSpec(container = 'container'): JsonObject {
    // The image of the kubelet has somebody who may not write everywhere.
    const root = this.#kind === 'kubelet' ? { securityContext: { runAsUser: 0 } } : {};
    const own = { volumeMounts: [{ name: 'store', mountPath: STORE }], ...root };
    const volumes = [{ name: 'store', hostPath: { path: this.store, type: 'DirectoryOrCreate' } }];
    return { containers: [{ name: container, ...own }], volumes };
  }

  async claim(name: string): Promise<void> {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const target = { type: PERSISTENT_VOLUME_CLAIM, namespace: SPACE };
    await this.kube.create(target, objectOf(PERSISTENT_VOLUME_CLAIM, name, { spec }));
  }

  /** The spec of an application that sleeps, with the tools; its container is `app` and its data in /data. */
  appSpec(tools: readonly Tool[], volumes: JsonObject[]): JsonObject {
    const own = this.podSpec('app', tools) as { containers: JsonObject[]; volumes: JsonObject[] };
    const [container = {}] = own.containers;
    const mounts = [...(container['volumeMounts'] as JsonObject[]), { name: 'data', mountPath: '/data' }];
    const app = { ...container, image: this.image, command: ['sleep', '3600'], volumeMounts: mounts };
    return { containers: [app], volumes: [...own.volumes, ...volumes], terminationGracePeriodSeconds: 0 };
  }

  /** An application with so many megabytes in a claim of its own name. */
  async application(name: string, megabytes: number, tools = TOOLS): Promise<void> {
    await this.claim(name);
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
    await this.kube.create(
      { type: POD, namespace: SPACE },
      objectOf(POD, name, { spec: this.appSpec(tools, volumes) }),
    );
    await this.isUp(name);
    await this.fill(name, megabytes);
  }

  async isUp(name: string): Promise<void> {
    await eventually(
      async () => {
        const pod = await this.kube.get({ type: POD, namespace: SPACE, name });
        if (textAt(pod, 'status', 'phase') !== 'Running') throw new Error(JSON.stringify(pod['status']));
      },
      { withinMs: 60_000 },
    );
  }

  /** With names that need care. */
  async fill(pod: string, megabytes: number): Promise<void> {
    const small = `mkdir -p /data/sub && printf small >"/data/sub/it's \\$HOME"`;
    await this.say(pod, `head -c ${String(megabytes)}000000 /dev/urandom >/data/big && ${small}`);
  }

  async say(pod: string, script: string): Promise<string> {
    // A gigabyte takes its time on a machine that does other things too.
    return await sayIn(this.kube, { namespace: SPACE, name: pod }, script, 240_000);
  }

  /** The sha256 of every file of an application. */
  async hashes(pod: string, folder = '/data'): Promise<string> {
    return await this.say(pod, `cd ${folder} && find . -type f -exec sha256sum {} + | sort`);
  }

  /** A Profile with keys; in the directory unless it says otherwise. */
  async profile(name: string, location: JsonObject = {}, keys = { id: 'id', secret: 'hush-hush-hush' }): Promise<void> {
    const namespace = SPACE;
    await this.kube.create({ type: SECRET, namespace }, objectOf(SECRET, `${name}-keys`, { stringData: keys }));
    const secret = { name: `${name}-keys`, namespace };
    await this.kube.create(
      { type: Profile, namespace },
      objectOf(Profile, name, {
        location: { type: 'headway.io/fs', endpoint: STORE, bucket: 'bucket', ...location },
        credential: { type: 'keyPair', keyPair: { idField: 'id', secretField: 'secret', secret } },
      }),
    );
  }

  /** An ActionSet with one action of these phases. */
  async begin(name: string, phases: JsonObject[], { profile = 'store', action = {}, metadata = {} }: Begun = {}) {
    await this.actions.blueprint(name, { go: { phases } });
    await this.set(name, on('go', name, { profile: { name: profile, namespace: SPACE }, ...action }), metadata);
  }

  /** An ActionSet with one action. */
  async set(name: string, action: JsonObject, metadata: JsonObject = {}): Promise<void> {
    const own = { profile: { name: 'store', namespace: SPACE }, podOverride: this.podSpec() };
    const spec = { actions: [{ ...own, ...action }] };
    await this.kube.create({ type: ActionSet, namespace: SPACE }, objectOf(ActionSet, name, { metadata, spec }));
  }

  /** The outputs of its phases; it has to be complete. */
  async outputs(name: string): Promise<JsonObject[]> {
    const status = await this.actions.ended(name, 200_000);
    if (status['state'] !== 'complete') throw new Error(JSON.stringify(status));
    return phasesOf(status).map(({ output }) => (output ?? {}) as JsonObject);
  }

  /** Why it failed. */
  async failure(name: string): Promise<string> {
    const status = await this.actions.ended(name, 200_000);
    if (status['state'] !== 'failed') throw new Error(JSON.stringify(status));
    return errorOf(status);
  }

  /** Pods and Secrets of functions that are still there. */
  async leftovers(): Promise<string[]> {
    const secrets: string[] = [];
    for await (const { items } of this.kube.list({ type: SECRET }, { labelSelector: 'createdBy=kanister' }))
      for (const { metadata } of items) secrets.push(metadata.name);
    return [...(await this.actions.pods()), ...secrets];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.actions[Symbol.asyncDispose]();
    rmSync(this.store, { recursive: true, force: true });
  }
}

export const phase = (func: string, args: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ func, name: func.toLowerCase(), args },
  ...more,
});

/** BackupData of an application into a repository of its name. */
export const backup = (pod: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject => {
  const place = { namespace: SPACE, pod, container: 'app', includePath: '/data' };
  return phase('BackupData', { ...place, backupArtifactPrefix: `bucket/${pod}`, ...args }, more);
};
