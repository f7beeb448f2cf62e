import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MIGRATION_NAMESPACE } from '../../api/index.ts';
import { isAppError, messageOf, textAt, type Log } from '../../base/index.ts';
import {
  createControllers,
  LocationStores,
  OperationLogs,
  watchKinds,
  type Caches,
  type ControlDeps,
  type ControlMetrics,
  type ControllerSettings,
} from '../../control/controllers/index.ts';
import { LEADER_LEASE, silenceText } from '../../core/operations/index.ts';
import { EventRecorder, Leader, Manager, Term } from '../../control/runtime/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import type { CredentialRules } from '../../edge/store/index.ts';
import { systemClock } from '../system-clock.ts';
import { refuseOtherCrds } from './check-cluster.ts';
import { VeleroGuard } from './velero-guard.ts';

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
  forceBesideVelero: boolean;
}

/** Everything that works on one cluster. */
export interface ControlPlane {
  caches: Caches;
  stores: LocationStores;
  logs: OperationLogs;
  spoolDir: string;
  /** What the controllers have, with another client: a dry run has the rights of whoever asks for it. */
  depsAs(kube: KubeClient): ControlDeps;
  isLeading(): boolean;
  /** Why nothing goes on in the cluster although it is watched; undefined while somebody leads. */
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
  const runtime = { clock: systemClock, log, random: Math.random };
  const term = new Term();
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
  const deps: ControlDeps = {
    ...runtime,
    kube,
    metrics,
    events,
    namespace,
    migrationNamespace: MIGRATION_NAMESPACE,
    stores,
    logs,
    spoolDir,
    term: () => term.signal,
    mayWrite: () => leader.isLeading(),
  };
  const { reflectors, caches } = watchKinds(
    { velero: namespace, migration: MIGRATION_NAMESPACE },
    { ...runtime, kube },
  );
  const guard = options.forceBesideVelero ? [] : [new VeleroGuard(namespace, { ...runtime, kube })];
  const manager = new Manager(
    {
      sources: [...reflectors, ...guard, events],
      workers: [term, ...createControllers(options.settings, deps, caches)],
      leader,
    },
    runtime,
  );
  const ready = Promise.all(reflectors.map((reflector) => reflector.ready)).then(() => undefined);
  ready
    .then(() => logs.removeAllBut(runningUids(caches)))
    .catch((error: unknown) => {
      // Nothing was ready before the stop, or a file stays for the next start.
      log.debug('old logs not removed', { err: messageOf(error) });
    });
  return {
    caches,
    stores,
    logs,
    spoolDir,
    depsAs: (other) => ({ ...deps, kube: other }),
    isLeading: () => leader.isLeading(),
    silence: () => {
      const { forMs, reason } = leader.vacancy() ?? {};
      if (forMs === undefined) return undefined;
      return `${silenceText({ seconds: forMs / 1000 })}${reason === undefined ? '' : `: ${reason}`}`;
    },
    unseenSince: () => {
      const times = reflectors.flatMap(({ unseenSince }) => (unseenSince === undefined ? [] : [unseenSince]));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    ready,
    run: async (signal) => {
      await refuseOtherCrds(kube, signal);
      // What an earlier life left there belongs to nobody.
      rmSync(spoolDir, { recursive: true, force: true });
      mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
      if (options.fsRoot !== undefined) mkdirSync(options.fsRoot, { recursive: true, mode: 0o700 });
      try {
        const { hung } = await manager.run(signal);
        if (hung.length > 0) log.error('stopped without waiting any longer', { hung });
      } catch (error) {
        // The manager calls every part that throws a bug; what the guard says is not one.
        throw error instanceof Error && isAppError(error.cause) ? error.cause : error;
      } finally {
        stores.close();
      }
    },
  };
}

function* runningUids({ backups, restores }: Caches): Generator<string> {
  for (const cache of [backups, restores]) {
    for (const object of cache.values()) {
      if (textAt(object, 'status', 'completionTimestamp') === undefined) yield object.metadata.uid ?? '';
    }
  }
}
