import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_LOG, type Clock, type JsonObject } from '../../../src/base/index.ts';
import { systemClock } from '../../../src/main/system-clock.ts';
import {
  ApiServer,
  bootstrap,
  createControlClient,
  ObjectStore,
  StoreFile,
  type ControlClient,
} from '../../../src/pocket/apiserver/index.ts';
import { startControllers, type Running } from '../../../src/pocket/controllers/index.ts';
import { startNode } from '../../../src/pocket/node/index.ts';
import type { KubeObject } from '../../../src/pocket/controllers/kinds/index.ts';
import type { TypeOf } from '../../../src/pocket/controllers/ports.ts';
import { eventually } from '../../eventually.ts';

type Manifest = JsonObject & { apiVersion: string; kind: string };

/** API server, controllers and node of a pocket cluster, without HTTP. */
export class Cluster implements AsyncDisposable {
  readonly dir: string;
  readonly #clock: Clock;
  #store!: ObjectStore;
  #controllers: Running | undefined;
  client!: ControlClient;

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.dir = mkdtempSync(join(tmpdir(), 'headway-controllers-'));
  }

  static async start(clock: Clock = systemClock): Promise<Cluster> {
    const cluster = new Cluster(clock);
    await cluster.#open();
    return cluster;
  }

  /** Stops everything and starts it again on the same files. */
  async restart(): Promise<void> {
    await this.#close();
    await this.#open();
  }

  /** Creates the object in its namespace, which is `default` unless it says otherwise. */
  async create(manifest: Manifest): Promise<JsonObject> {
    const type = this.client.typeOf(manifest.apiVersion, manifest.kind);
    if (type === undefined) throw new Error(`${manifest.kind} in ${manifest.apiVersion} is not served`);
    const metadata = { ...(type.namespaced ? { namespace: 'default' } : {}), ...(manifest['metadata'] as JsonObject) };
    return this.client.create(type, { ...manifest, metadata });
  }

  /** Changes an object that controllers write as well: whoever is too late tries again. */
  async change<T extends KubeObject>(type: TypeOf<T>, place: string, change: (object: T) => T): Promise<void> {
    const [namespace = '', name = ''] = place.split('/');
    await eventually(() => {
      const object = this.client.get(type, namespace, name);
      if (object === undefined) throw new Error(`no ${type.kind} ${place}`);
      return this.client.update(type, change(object));
    });
  }

  async #open(): Promise<void> {
    this.#store = new ObjectStore(new StoreFile(join(this.dir, 'pocket.db')), NO_LOG);
    const api = new ApiServer({
      store: this.#store,
      clock: this.#clock,
      log: NO_LOG,
      random: Math.random,
      newUid: randomUUID,
      identifyToken: () => undefined,
      issueToken: () => {
        throw new Error('nobody asks for a token here');
      },
    });
    await bootstrap(api);
    this.client = createControlClient(api);
    this.#controllers = await startControllers({
      client: this.client,
      clock: this.#clock,
      log: NO_LOG,
      dataDir: this.dir,
      caPem: 'PEM',
      startNode: (deps) => startNode(deps, { dataDir: this.dir, servicePrefix: '10.96.', apiPort: 0 }),
    });
  }

  async #close(): Promise<void> {
    await this.#controllers?.close();
    this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export const container = { name: 'c', image: 'registry.example.com/c:1' };

export function workload(kind: string, name: string, spec: JsonObject = {}, pod: JsonObject = {}): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container], ...pod } },
      ...spec,
    },
  };
}
