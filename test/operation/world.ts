import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { BackupStorageLocation, MIGRATION_NAMESPACE, NAMESPACE } from '../../src/api/index.ts';
import { AppError, NO_LOG } from '../../src/base/index.ts';
import { watchKinds, type Caches } from '../../src/control/controllers/caches.ts';
import type { ControlDeps } from '../../src/control/controllers/ports.ts';
import { LocationStores } from '../../src/control/controllers/stores/index.ts';
import { OperationLogs } from '../../src/control/operation/index.ts';
import { DEFAULT_MOVERS, Movers } from '../../src/control/volumes/index.ts';
import { EventRecorder, Manager, NO_METRICS, Term, type Part } from '../../src/control/runtime/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import type { CallOptions, Store } from '../../src/edge/store/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { ScriptedClient } from './client.ts';

export const VELERO = 'velero';

/** One call of an engine to the outside: what a fault can hit. */
export interface Step {
  to: 'kube' | 'store';
  verb: string;
  /** The kind, or the key. */
  what: string;
}
/** Called around each step; throws to refuse it, or to lose its answer. */
export interface Faults {
  before?(step: Step): void;
  after?(step: Step): void;
}
export type Controllers = (deps: ControlDeps, caches: Caches) => readonly Part[];

/** A cluster, a bucket and time, in which one engine after the other lives. */
export class World implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly kube = new ScriptedClient(this.clock);
  readonly directory: string = mkdtempSync(join(tmpdir(), 'headway-operation-'));
  readonly #engines: Engine[] = [];

  async setUp(): Promise<void> {
    mkdirSync(join(this.directory, 'stores'));
    await this.kube.create({ type: NAMESPACE }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: VELERO } });
    await this.kube.create(
      { type: BackupStorageLocation, namespace: VELERO },
      {
        ...{ apiVersion: 'velero.io/v1', kind: 'BackupStorageLocation', metadata: { name: 'default' } },
        spec: { provider: 'headway.io/fs', objectStorage: { bucket: 'backups' }, default: true },
        status: { phase: 'Available' },
      },
    );
  }

  get bucket(): string {
    return join(this.directory, 'stores', 'backups');
  }

  start(controllers: Controllers, faults: Faults = {}): Engine {
    const engine = new Engine(this, controllers, faults);
    this.#engines.push(engine);
    return engine;
  }

  /** Lets time pass until it holds; an hour at most. Files and gzip are real, so that time must not run ahead of them. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const startedAt = this.clock.now();
    while (!holds()) {
      if (this.clock.now() - startedAt > 3600_000) throw new Error(`never: ${what}`);
      for (let turn = 0; turn < 10; turn += 1) await immediate();
      await this.clock.advance(25);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.#engines) await engine.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** One life of the control plane. */
export class Engine {
  readonly deps: ControlDeps;
  readonly #world: World;
  readonly #faults: Faults;
  readonly #life = new AbortController();
  readonly #deposed = new AbortController();
  readonly #running: Promise<unknown>;
  readonly #stores: LocationStores;
  #isDead = false;
  #hasEnded = false;

  constructor(world: World, controllers: Controllers, faults: Faults) {
    this.#world = world;
    this.#faults = faults;
    const { clock } = world;
    const runtime = { clock, log: NO_LOG, random: () => 0.5 };
    const kube = this.#client(world.kube);
    const term = new Term();
    const spoolDir = mkdtempSync(join(world.directory, 'spool-'));
    const store = { log: NO_LOG, fsRoot: join(world.directory, 'stores') };
    this.#stores = new LocationStores({ kube, namespace: VELERO, store });
    const events = new EventRecorder({ component: 'headway' }, { ...runtime, kube: world.kube });
    this.deps = {
      ...{ ...runtime, kube, events, spoolDir, namespace: VELERO, stores: this.#faultyStores() },
      movers: new Movers(
        { uploader: 'stream', image: 'headway:test', ...DEFAULT_MOVERS },
        { ...runtime, kube, namespace: VELERO },
      ),
      migrationNamespace: MIGRATION_NAMESPACE,
      metrics: { ...NO_METRICS, add: () => undefined, set: () => undefined, observe: () => undefined },
      logs: new OperationLogs(join(world.directory, 'logs'), runtime),
      term: () => AbortSignal.any([term.signal, this.#deposed.signal]),
      mayWrite: () => !this.#deposed.signal.aborted,
    };
    const { reflectors, caches } = watchKinds(
      { velero: VELERO, migration: MIGRATION_NAMESPACE },
      { ...runtime, kube: world.kube },
    );
    const workers = [term, ...controllers(this.deps, caches)];
    const manager = new Manager({ sources: [...reflectors, events], workers, stopDeadlineMs: 20_000 }, runtime);
    this.#running = manager.run(this.#life.signal).finally(() => {
      this.#hasEnded = true;
    });
  }

  /** SIGTERM. */
  async stop(): Promise<void> {
    this.#life.abort(new AppError('canceled', 'the engine stops'));
    await this.#world.until(() => this.#hasEnded, 'the engine stops');
    await this.#running.catch(() => undefined);
    this.#stores.close();
  }

  /** SIGKILL: from now on nothing of it reaches the outside. */
  async kill(): Promise<void> {
    this.#isDead = true;
    await this.depose();
  }

  /** It can still be heard, but another one leads. */
  async depose(): Promise<void> {
    this.#deposed.abort(new AppError('canceled', 'another one leads'));
    await this.stop();
  }

  #step<T>(step: Step, act: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      if (this.#isDead) throw new AppError('canceled', 'the process is dead');
      this.#faults.before?.(step);
      const result = await act();
      if (this.#isDead) throw new AppError('canceled', 'the process is dead');
      this.#faults.after?.(step);
      return result;
    };
    return run();
  }

  #client(kube: ScriptedClient): KubeClient {
    const step = <T>(verb: string, what: string, act: () => Promise<T>): Promise<T> =>
      this.#step({ to: 'kube', verb, what }, act);
    const list = async function* (
      target: Parameters<KubeClient['list']>[0],
      options?: Parameters<KubeClient['list']>[1],
    ): ReturnType<ScriptedClient['list']> {
      const pages = kube.list(target, options)[Symbol.asyncIterator]();
      for (;;) {
        const page = await step('list', target.type.kind, () => pages.next());
        if (page.done === true) return;
        yield page.value;
      }
    };
    return {
      get: (target, options) => step('get', target.type.kind, () => kube.get(target, options)),
      list,
      watch: (target, options) => kube.watch(target, options),
      create: (target, object, options) => step('create', target.type.kind, () => kube.create(target, object, options)),
      createText: (target, text, options) =>
        step('create', target.type.kind, () => kube.createText(target, text, options)),
      replace: (target, object, options) =>
        step('replace', target.type.kind, () => kube.replace(target, object, options)),
      patch: (target, patch, options) => step('patch', target.type.kind, () => kube.patch(target, patch, options)),
      patchUnread: (target, patch, options) =>
        step('patch', target.type.kind, () => kube.patchUnread(target, patch, options)),
      delete: (target, options) => step('delete', target.type.kind, () => kube.delete(target, options)),
      version: () => step('version', '', () => kube.version()),
      discover: () => step('discover', '', () => kube.discover()),
      exec: (pod, options) => step('exec', options.command.join(' '), () => kube.exec(pod, options)),
      logs: () => kube.logs(),
      close: () => kube.close(),
    };
  }

  #faultyStores(): LocationStores {
    const stores = this.#stores;
    const faulty = {
      open: async (...asked: Parameters<LocationStores['open']>) => {
        const opened = await stores.open(...asked);
        return { ...opened, store: this.#faulty(opened.store) };
      },
    };
    return faulty as unknown as LocationStores;
  }

  #faulty(store: Store): Store {
    const verbs = ['put', 'get', 'head', 'delete', 'abortUpload'];
    return new Proxy(store, {
      get: (of, verb: string) => {
        const value: unknown = Reflect.get(of, verb);
        if (typeof value !== 'function') return value;
        const method = value.bind(of) as (...args: unknown[]) => unknown;
        if (!verbs.includes(verb)) return method;
        return (...args: unknown[]) => {
          const { retry = (request) => request() } = (args.at(-1) ?? {}) as CallOptions;
          const step = { to: 'store', verb, what: String(args[0]) } as const;
          const act = (): Promise<unknown> => this.#step(step, () => method(...args) as Promise<unknown>);
          // A store makes its own requests again; an archive part by part, which is not to be had from outside.
          return verb === 'put' ? act() : retry(act);
        };
      },
    });
  }
}
