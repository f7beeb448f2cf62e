import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceType } from '../../src/api/index.ts';
import { isAppError, NO_LOG, type Clock, type JsonObject } from '../../src/base/index.ts';
import type { Caches } from '../../src/control/controllers/caches.ts';
import { OperationLogs } from '../../src/control/operation/index.ts';
import type { ControlDeps } from '../../src/control/controllers/ports.ts';
import { LocationStores } from '../../src/control/controllers/stores/index.ts';
import { DEFAULT_MOVERS, Movers } from '../../src/control/volumes/index.ts';
import { NO_METRICS, type EventInput } from '../../src/control/runtime/index.ts';
import { ObjectCache } from '../../src/control/runtime/object-cache.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import type { StoreLimits } from '../../src/edge/store/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { NAMESPACE, type EngineCluster } from '../engine/engine.ts';

/** A controller's dependencies over a real pocket cluster, with a clock that a test sets and everything it told. */
export class Workbench {
  readonly kube: KubeClient;
  readonly deps: ControlDeps;
  readonly signal: AbortSignal = new AbortController().signal;
  readonly events: EventInput[] = [];
  readonly metrics = new Map<string, number>();
  /** Milliseconds since 1970; the machine's own time until it is set. */
  now: number | undefined;

  constructor(cluster: EngineCluster, limits: Partial<StoreLimits> = {}) {
    this.kube = cluster.kube;
    const clock: Clock = {
      now: () => this.now ?? systemClock.now(),
      uptime: () => systemClock.uptime(),
      sleep: (ms, signal) => systemClock.sleep(ms, signal),
    };
    const fsRoot = join(cluster.directory, 'stores');
    mkdirSync(fsRoot, { recursive: true });
    const count = (name: string, labels: Readonly<Record<string, string>>, value: number, before = 0): void => {
      this.metrics.set(`${name}{${Object.values(labels).join(',')}}`, before + value);
    };
    this.deps = {
      kube: this.kube,
      clock,
      log: NO_LOG,
      random: Math.random,
      metrics: {
        ...NO_METRICS,
        add: (name, labels, by = 1) => {
          count(name, labels, by, this.metrics.get(`${name}{${Object.values(labels).join(',')}}`));
        },
        set: count,
        observe: count,
      },
      events: { record: (event) => this.events.push(event) },
      namespace: NAMESPACE,
      migrationNamespace: 'openshift-migration',
      stores: new LocationStores({ kube: this.kube, namespace: NAMESPACE, store: { log: NO_LOG, fsRoot, limits } }),
      movers: new Movers(
        { uploader: 'stream', image: 'headway:test', ...DEFAULT_MOVERS },
        { kube: this.kube, clock, log: NO_LOG, random: Math.random, namespace: NAMESPACE },
      ),
      logs: new OperationLogs(join(cluster.directory, 'logs'), { clock, log: NO_LOG }),
      spoolDir: cluster.directory,
      term: () => this.signal,
      mayWrite: () => true,
    };
  }

  /** Names are new in every test, so that tests on one cluster do not meet. */
  static newName(prefix: string): string {
    return `${prefix}-${randomBytes(4).toString('hex')}`;
  }

  /** What a reflector would hold by now. */
  async cacheOf(type: ResourceType): Promise<ObjectCache> {
    const cache = new ObjectCache(NO_LOG);
    for await (const page of this.kube.list({ type, namespace: NAMESPACE })) {
      for (const item of page.items) cache.put(item);
    }
    return cache;
  }

  /** The caches of these kinds; asking for another one crashes. */
  async caches(kinds: Partial<Record<keyof Caches, ResourceType>>): Promise<Caches> {
    const entries = Object.entries(kinds).map(async ([name, type]) => [name, await this.cacheOf(type)] as const);
    return Object.fromEntries(await Promise.all(entries)) as unknown as Caches;
  }

  async create(type: ResourceType, name: string, object: JsonObject = {}): Promise<KubeObject> {
    const { metadata = {}, ...rest } = object as { metadata?: JsonObject };
    return await this.kube.create(
      { type, namespace: NAMESPACE },
      {
        apiVersion: `${type.group}/${type.version}`,
        kind: type.kind,
        metadata: { ...metadata, name, namespace: NAMESPACE },
        ...rest,
      },
    );
  }

  async get(type: ResourceType, name: string): Promise<KubeObject> {
    return await this.kube.get({ type, namespace: NAMESPACE, name });
  }

  async exists(type: ResourceType, name: string): Promise<boolean> {
    try {
      await this.get(type, name);
      return true;
    } catch (error) {
      if (isAppError(error, 'notFound')) return false;
      throw error;
    }
  }

  async list(type: ResourceType): Promise<KubeObject[]> {
    return [...(await this.cacheOf(type)).values()];
  }

  async patch(type: ResourceType, name: string, body: JsonObject): Promise<KubeObject> {
    return await this.kube.patch({ type, namespace: NAMESPACE, name }, { kind: 'merge', body });
  }
}
