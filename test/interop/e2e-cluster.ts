import { join } from 'node:path';
import { Backup, Restore, type ResourceType } from '../../src/api/index.ts';
import { isAppError, objectAt, textAt, type JsonObject } from '../../src/base/index.ts';
import { findKind, type KubeClient, type KubeObject } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { servedPocket, type ServedCluster } from '../served-cluster.ts';

export const VELERO = 'velero';
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];
const WAIT_MS = 60_000;

/** Velero's own end-to-end cases drive a CLI; here they drive the custom resources, on pocket with `headway server`. */
export class E2eCluster implements AsyncDisposable {
  readonly served: ServedCluster;
  readonly kube: KubeClient;
  server: Running;

  private constructor(served: ServedCluster, server: Running) {
    this.served = served;
    this.kube = served.kube;
    this.server = server;
  }

  static async start(): Promise<E2eCluster> {
    const served = await servedPocket();
    return new E2eCluster(served, await served.serve());
  }

  /** Where the default location keeps its files. */
  get bucket(): string {
    return join(this.served.fsRoot, 'backups');
  }

  async make(...objects: readonly JsonObject[]): Promise<void> {
    const discovery = await this.kube.discover();
    for (const object of objects) {
      const type = findKind(discovery, textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '');
      if (type === undefined) throw new Error(`pocket does not serve ${textAt(object, 'kind') ?? ''}`);
      const namespace = textAt(object, 'metadata', 'namespace');
      await this.kube.create({ type, ...(namespace === undefined ? {} : { namespace }) }, object as KubeObject);
    }
  }

  async backup(name: string, spec: JsonObject): Promise<JsonObject> {
    await this.request(Backup, name, spec);
    return await this.ended(Backup, name);
  }

  async restore(name: string, backupName: string, spec: JsonObject = {}): Promise<JsonObject> {
    await this.request(Restore, name, { backupName, ...spec });
    return await this.ended(Restore, name);
  }

  async request(type: ResourceType, name: string, spec: JsonObject): Promise<void> {
    const object = objectOf(type, name, { metadata: { namespace: VELERO }, spec });
    await this.kube.create({ type, namespace: VELERO }, object);
  }

  /** Its status when it has ended. */
  async ended(type: ResourceType, name: string): Promise<JsonObject> {
    return await eventually(
      async () => {
        const object = await this.kube.get({ type, namespace: VELERO, name });
        const phase = textAt(object, 'status', 'phase') ?? 'none';
        if (!ENDED.includes(phase)) throw new Error(`${type.kind} ${name} is ${phase}: ${this.server.err}`);
        return objectAt(object, 'status');
      },
      { withinMs: WAIT_MS },
    );
  }

  async find(type: ResourceType, name: string, namespace?: string): Promise<KubeObject | undefined> {
    try {
      return await this.kube.get({ type, name, ...(namespace === undefined ? {} : { namespace }) });
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined;
      throw error;
    }
  }

  async all(type: ResourceType, namespace?: string): Promise<KubeObject[]> {
    const objects: KubeObject[] = [];
    for await (const { items } of this.kube.list({ type, ...(namespace === undefined ? {} : { namespace }) })) {
      objects.push(...items);
    }
    return objects;
  }

  async gone(type: ResourceType, name: string, namespace?: string): Promise<void> {
    await eventually(
      async () => {
        if ((await this.find(type, name, namespace)) !== undefined) throw new Error(`${type.kind} ${name} is there`);
      },
      { withinMs: WAIT_MS },
    );
  }

  async wipe(...namespaces: readonly string[]): Promise<void> {
    for (const name of namespaces) await this.kube.delete({ type: NAMESPACES, name });
    for (const name of namespaces) await this.gone(NAMESPACES, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.served[Symbol.asyncDispose]();
  }
}
