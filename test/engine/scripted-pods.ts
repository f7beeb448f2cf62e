import type { JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { exec } from '../../src/edge/kube/exec/exec.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import type { Store } from '../../src/edge/store/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { transportTo } from '../kube-transport.ts';
import { onExec } from '../scripted-exec.ts';
import { ScriptedServer } from '../scripted-server/index.ts';
import { startEngine, type Engine, type EngineCluster, type EngineOptions } from './engine.ts';

export const PODS = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** A command that was run in a pod, from its beginning to its end. */
export interface Ran {
  pod: string;
  command: string;
  begun: number;
  ended?: number;
}

/** Pods of a pocket cluster come up, but only the scripted server knows how to run a command in them. */
export class ScriptedPods implements AsyncDisposable {
  readonly ran: Ran[] = [];
  readonly kube: KubeClient;
  readonly #server: ScriptedServer;
  readonly #transport: ReturnType<typeof transportTo>;

  private constructor(cluster: EngineCluster, server: ScriptedServer) {
    this.#server = server;
    this.#transport = transportTo(server.url);
    const clock = systemClock;
    this.kube = { ...cluster.kube, exec: (pod, options) => exec({ transport: this.#transport, clock }, pod, options) };
  }

  /** `behave` runs inside of each command. */
  static async start(cluster: EngineCluster, behave: (ran: Ran) => Promise<void>): Promise<ScriptedPods> {
    const server = await ScriptedServer.start();
    const pods = new ScriptedPods(cluster, server);
    onExec(server, 'v5.channel.k8s.io', async ({ url, exit }) => {
      const command = url.searchParams.getAll('command').join(' ');
      const ran: Ran = { pod: url.pathname.split('/')[6] ?? '', command, begun: performance.now() };
      pods.ran.push(ran);
      await behave(ran);
      ran.ended = performance.now();
      await exit(0);
    });
    return pods;
  }

  /** What ran last in each pod, and whether it has ended. */
  last(): Record<string, string> {
    return Object.fromEntries(
      this.ran.map(({ pod, command, ended }) => [pod, `${command}${ended === undefined ? ' runs' : ''}`]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.#server.stop();
  }
}

export async function makePods(
  { kube }: EngineCluster,
  namespace: string,
  names: readonly string[],
  annotations: Record<string, string> = {},
): Promise<void> {
  await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, namespace));
  const spec = { containers: [{ name: 'main', image: 'none/none:1' }] };
  for (const name of names) {
    await kube.create({ type: PODS, namespace }, objectOf(PODS, name, { metadata: { annotations }, spec }));
  }
}

/** Backups with a store of which some calls do something else. */
export async function startBackups(
  cluster: EngineCluster,
  options: Pick<EngineOptions, 'kube' | 'log'> & { store?: (store: Store) => Partial<Store> } = {},
): Promise<Engine> {
  const { store: change = (): Partial<Store> => ({}), ...rest } = options;
  return await startEngine(cluster, {
    ...rest,
    controllers: (deps, caches) => {
      const open: typeof deps.stores.open = async (...asked) => {
        const opened = await deps.stores.open(...asked);
        const changed = change(opened.store);
        const store = new Proxy(opened.store, {
          get: (of, key: keyof Store) => {
            const value: unknown = changed[key] ?? Reflect.get(of, key);
            return typeof value === 'function' ? (value.bind(of) as unknown) : value;
          },
        });
        return { ...opened, store };
      };
      return createBackupController({}, { ...deps, stores: { open } as typeof deps.stores }, caches).parts;
    },
  });
}

export const hooksOf = (pre: string, post: string): JsonObject => ({
  resources: [{ name: 'quiet', pre: [{ exec: { command: [pre] } }], post: [{ exec: { command: [post] } }] }],
});
