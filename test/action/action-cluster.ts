import { ActionSet, Blueprint, NAMESPACE, POD } from '../../src/api/index.ts';
import { objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { eventually } from '../eventually.ts';
import { HeadwayHome, type Running } from '../headway-process.ts';
import { killLeader } from '../kill-leader.ts';
import { objectOf } from '../kube-kinds.ts';
import type { PodCluster, PodClusterKind } from '../pod-clusters.ts';

export const SPACE = 'actions';
/** Any image that the cluster runs with a shell in it. */
const IMAGES = { pocket: 'debian', kubelet: 'busybox:1' } as const;

/** A cluster with a server that runs ActionSets, which can be killed and started again. */
export class ActionCluster implements AsyncDisposable {
  readonly kube: KubeClient;
  readonly kubeconfig: string;
  readonly home = new HeadwayHome();
  readonly #cluster: PodCluster;
  readonly #image: string;
  #server: Running | undefined;

  /** The server goes to the cluster by another way if one is given. */
  static async start(
    kind: PodClusterKind,
    way: (cluster: ActionCluster) => Promise<string> = ({ kubeconfig }) => Promise.resolve(kubeconfig),
  ): Promise<ActionCluster> {
    const cluster = new ActionCluster(await kind.start(), IMAGES[kind.name]);
    const { kube } = cluster;
    await installCrds(kube, AbortSignal.timeout(60_000));
    for (const name of ['velero', SPACE]) await kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, name));
    await cluster.serve(await way(cluster));
    return cluster;
  }

  private constructor(cluster: PodCluster, image: string) {
    this.#cluster = cluster;
    this.#image = image;
    this.kube = cluster.kube;
    this.kubeconfig = cluster.kubeconfig;
  }

  /** Through another way to the cluster, if given. */
  async serve(kubeconfig = this.kubeconfig): Promise<void> {
    const args = ['--kubeconfig', kubeconfig, '--engines', 'kanister', '--listen', '127.0.0.1:0'];
    this.#server = this.home.start('server', ...args);
    await eventually(
      () => {
        if (this.#server?.err.includes('"leading"') !== true && this.#server?.out.includes('"leading"') !== true)
          throw new Error(`the server does not lead: ${this.#server?.err ?? ''}`);
      },
      { withinMs: 60_000 },
    );
  }

  /** Where its page is. */
  get url(): string {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(`${this.#server?.out ?? ''}${this.#server?.err ?? ''}`) ?? [];
    if (url === undefined) throw new Error(`the server does not say where it listens: ${this.#server?.err ?? ''}`);
    return url;
  }

  /** Of the kubelet only. */
  get bed(): PodCluster['bed'] {
    return this.#cluster.bed;
  }

  async kill(): Promise<void> {
    if (this.#server !== undefined) await killLeader(this.#server, this.kube);
  }

  task(name: string, script: string, args: JsonObject = {}): JsonObject {
    return { func: 'KubeTask', name, args: { image: this.#image, command: ['sh', '-c', script], ...args } };
  }

  async blueprint(name: string, actions: JsonObject): Promise<void> {
    await eventually(() =>
      this.kube.create({ type: Blueprint, namespace: SPACE }, objectOf(Blueprint, name, { actions })),
    );
  }

  async create(name: string, actions: JsonObject[], more: JsonObject = {}): Promise<void> {
    await this.kube.create(
      { type: ActionSet, namespace: SPACE },
      objectOf(ActionSet, name, { spec: { actions, ...more } }),
    );
  }

  async get(name: string): Promise<KubeObject> {
    return await this.kube.get({ type: ActionSet, namespace: SPACE, name });
  }

  /** Its status once it fits. */
  async status(name: string, fits: (status: JsonObject) => boolean, withinMs = 100_000): Promise<JsonObject> {
    return await eventually(
      async () => {
        const status = ((await this.get(name))['status'] ?? {}) as JsonObject;
        if (!fits(status)) throw new Error(JSON.stringify(status));
        return status;
      },
      { withinMs },
    );
  }

  async ended(name: string, withinMs?: number): Promise<JsonObject> {
    return await this.status(name, ({ state }) => state === 'complete' || state === 'failed', withinMs);
  }

  async pods(): Promise<string[]> {
    const names: string[] = [];
    for await (const { items } of this.kube.list({ type: POD }, { labelSelector: 'createdBy=kanister' })) {
      for (const { metadata } of items) names.push(metadata.name);
    }
    return names;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.home[Symbol.dispose]();
    await this.#cluster[Symbol.asyncDispose]();
  }
}

/** On a namespace, which every cluster has. */
export const on = (name: string, blueprint: string, more: JsonObject = {}): JsonObject => ({
  ...{ name, blueprint, object: { kind: 'Namespace', name: SPACE, namespace: SPACE } },
  ...more,
});

export function phasesOf(status: JsonObject, action = 0): JsonObject[] {
  return objectsAt(objectsAt(status, 'actions')[action], 'phases');
}

export function errorOf(status: JsonObject): string {
  return textAt(status, 'error', 'message') ?? '';
}
