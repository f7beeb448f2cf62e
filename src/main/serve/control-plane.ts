import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MIGRATION_NAMESPACE, type ResourceType } from '../../api/index.ts';
import { isAppError, messageOf, objectAt, type AppError, type Log } from '../../base/index.ts';
import {
  LocationStores,
  OperationLogs,
  watchKinds,
  type ControlDeps,
  type ControlMetrics,
  type ControllerSettings,
  type WatchedKind,
} from '../../control/controllers/index.ts';
import {
  ADAPTERS,
  hasVerb,
  LEADER_LEASE,
  silenceText,
  type Namespaces,
  type OperationGroup,
  type SessionGroup,
} from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import {
  anyOf,
  EventRecorder,
  GatedParts,
  Leader,
  Manager,
  Term,
  type ObjectCache,
} from '../../control/runtime/index.ts';
import { Movers, type MoverSettings } from '../../control/volumes/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import type { CredentialRules } from '../../edge/store/index.ts';
import { systemClock } from '../system-clock.ts';
import { absenceOf } from './definitions.ts';
import { EngineGate } from './engine-gate.ts';
import { ENGINES } from './engines.ts';
import { noEngine } from './no-engine.ts';
import { SeenGroups } from './seen-groups.ts';

export interface ControlPlaneOptions {
  kube: KubeClient;
  namespace: string;
  /** Where files of running operations are; a folder of its own for each cluster. */
  directory: string;
  /** Below which the stores of provider headway.io/fs are; without it there are none. */
  fsRoot: string | undefined;
  credentials: CredentialRules;
  env: NodeJS.ProcessEnv;
  log: Log;
  metrics: ControlMetrics;
  settings: ControllerSettings;
  movers: MoverSettings;
  /** Which engines are to run; none to only look. */
  engines: readonly OperationGroup[];
  forceBesideVelero: boolean;
}

/** Everything that works on one cluster. */
export interface ControlPlane {
  namespaces: Namespaces;
  settings: ControllerSettings;
  stores: LocationStores;
  logs: OperationLogs;
  spoolDir: string;
  /** What is watched of a kind; undefined for one that is not. */
  cacheOf(type: ResourceType): ObjectCache | undefined;
  /** What is seen and done of each API group. */
  groups(): SessionGroup[];
  /** Why none of the chosen engines can run; undefined when one can, or none was chosen. Known after a first look. */
  decided: Promise<AppError | undefined>;
  /** What the controllers have, with another client: a dry run has the rights of whoever asks for it. */
  depsAs(kube: KubeClient): ControlDeps;
  isLeading(): boolean;
  /** Why nothing goes on in the cluster although it is watched; undefined while somebody leads, or nobody is to. */
  silence(): string | undefined;
  /** Since when a part of the cluster is not seen; undefined while all that is watched is. */
  unseenSince(): number | undefined;
  /** Every reflector has listed once. */
  ready: Promise<void>;
  /** Until the signal is aborted; throws when something is in the way. */
  run(signal: AbortSignal): Promise<void>;
}

export function controlPlane(options: ControlPlaneOptions): ControlPlane {
  const { kube, namespace, log, metrics, directory } = options;
  const namespaces: Namespaces = { velero: namespace, migration: MIGRATION_NAMESPACE };
  const runtime = { clock: systemClock, log, random: Math.random };
  const events = new EventRecorder({ component: 'headway' }, { ...runtime, kube });
  const stores = new LocationStores({
    kube,
    namespace,
    store: { log, fsRoot: options.fsRoot, credentials: options.credentials, env: options.env },
  });
  const leader = new Leader(
    { namespace, name: LEADER_LEASE, identity: `${hostname()}_${randomUUID()}` },
    { ...runtime, kube },
  );
  const logs = new OperationLogs(join(directory, 'logs'), runtime);
  const spoolDir = join(directory, 'spool');
  // What outlives a reconcile has the term of its engine; a dry run has none.
  const none = new Term();
  const deps: ControlDeps = {
    ...runtime,
    kube,
    metrics,
    events,
    namespace,
    migrationNamespace: namespaces.migration,
    stores,
    movers: new Movers(options.movers, { ...runtime, kube, namespace }),
    logs,
    spoolDir,
    term: () => none.signal,
    mayWrite: () => leader.isLeading(),
  };
  const onAbsence = (): void => {
    seen.tell();
    for (const gate of gates) gate.reconsider();
  };
  const { reflectors, kinds, caches } = watchKinds(
    namespaces,
    { ...runtime, kube },
    { absence: (type, signal) => absenceOf(kube, type, signal), onAbsence },
  );
  const seen = new SeenGroups(kinds, log);
  const gates = Object.values(ENGINES).map((engine) => {
    const isSeen = (): boolean => engine.needs.every((type) => kindOf(kinds, type)?.reflector.isListed === true);
    const isChosen = options.engines.includes(engine.name);
    const isForced = engine.name === 'velero' && options.forceBesideVelero;
    return new EngineGate(engine, { namespaces, isChosen, isForced, isSeen }, { ...runtime, kube });
  });
  const workers = gates.flatMap(({ engine, door, isWanted }) => {
    if (!isWanted) return [];
    const term = new Term();
    const parts = engine.create?.(options.settings, { ...deps, term: () => term.signal }, caches) ?? [];
    return [new GatedParts(`${engine.name} engine`, [term, ...parts], { ...runtime, door })];
  });
  const manager = new Manager(
    {
      sources: [...reflectors, ...gates, events],
      workers,
      leader,
      gate: anyOf(gates.map(({ door }) => door)),
    },
    runtime,
  );
  const decided = Promise.withResolvers<AppError | undefined>();
  // Whoever waits for it hears that there was no first look; nobody need wait.
  decided.promise.catch(() => undefined);
  const ready = Promise.all(reflectors.map((reflector) => reflector.ready)).then(onAbsence);
  ready
    .then(() => logs.removeAllBut(uidsOf(kinds, false), uidsOf(kinds, true)))
    .catch((error: unknown) => {
      // Nothing was ready before the stop, or a file stays for the next start.
      log.debug('old logs not removed', { err: messageOf(error) });
    });
  return {
    namespaces,
    settings: options.settings,
    stores,
    logs,
    spoolDir,
    cacheOf: (type) => kindOf(kinds, type)?.reflector.cache,
    groups: () => gates.map((gate) => ({ ...seen.of(gate.engine.name), engine: gate.state() })),
    decided: decided.promise,
    depsAs: (other) => ({ ...deps, kube: other }),
    isLeading: () => leader.isLeading(),
    silence: () => {
      const { forMs, reason } = leader.vacancy() ?? {};
      if (forMs === undefined || gates.every(({ door }) => door.inside === undefined)) return undefined;
      return `${silenceText({ seconds: forMs / 1000 })}${reason === undefined ? '' : `: ${reason}`}`;
    },
    unseenSince: () => {
      const times = reflectors.flatMap(({ unseenSince }) => (unseenSince === undefined ? [] : [unseenSince]));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    ready,
    run: async (signal) => {
      if (options.engines.length === 0) log.info('only looking: no engine was chosen');
      await Promise.all(gates.map((gate) => gate.look(signal)));
      decided.resolve(noEngine(gates.filter(({ engine }) => options.engines.includes(engine.name))));
      // What an earlier life left there belongs to nobody.
      rmSync(spoolDir, { recursive: true, force: true });
      mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
      if (options.fsRoot !== undefined) mkdirSync(options.fsRoot, { recursive: true, mode: 0o700 });
      try {
        const { hung } = await manager.run(signal);
        if (hung.length > 0) log.error('stopped without waiting any longer', { hung });
      } catch (error) {
        // The manager calls every part that throws a bug; what is said by one of ours is not one.
        throw error instanceof Error && isAppError(error.cause) ? error.cause : error;
      } finally {
        stores.close();
      }
    },
  };
}

function kindOf(kinds: readonly WatchedKind[], { group, plural }: ResourceType): WatchedKind | undefined {
  return kinds.find(({ type }) => type.group === group && type.plural === plural);
}

/** Of operations with a log, those that have ended or those that have not. */
function* uidsOf(kinds: readonly WatchedKind[], hasEnded: boolean): Generator<string> {
  for (const adapter of ADAPTERS.filter((each) => hasVerb(each, 'logs'))) {
    for (const object of kindOf(kinds, adapter.type)?.reflector.cache.values() ?? []) {
      const { state } = adapter.adapt(object, objectAt(object, 'status'));
      if (isTerminal(state) === hasEnded) yield object.metadata.uid ?? '';
    }
  }
}
