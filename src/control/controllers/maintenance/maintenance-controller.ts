import { BackupRepository } from '../../../api/index.ts';
import { isAppError, isNamespaceName, messageOf, textAt } from '../../../base/index.ts';
import {
  isFullMaintenanceDue,
  maintenanceDueAt,
  withMaintenance,
  type MaintenanceRun,
} from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { NO_WAIT } from '../../operation/index.ts';
import { Controller, type Part, type ReconcileResult } from '../../runtime/index.ts';
import { aboutObject, boundedText, patchStatus, readObject, toTime } from '../../runtime/objects/index.ts';
import type { Caches } from '../caches.ts';
import type { ControlDeps } from '../ports.ts';
import { moverLocation } from '../stores/index.ts';

/** A repository of terabytes takes hours; the next one waits, because every run takes a mover's turn. */
const DEADLINE_MS = 4 * 3_600_000;
// A clock may be set at any time, and a location may come back.
const LONGEST_WAIT_MS = 60_000;

type MaintenanceCaches = Pick<Caches, 'repositories' | 'locations'>;

export function createMaintenanceController(deps: ControlDeps, caches: MaintenanceCaches): Part {
  const maintenance = new Maintenance(deps, caches);
  return new Controller(
    {
      name: 'maintenance',
      deadlineMs: DEADLINE_MS,
      sources: [{ cache: caches.repositories }],
      reconcile: async (key, signal) => await maintenance.reconcile(key, signal),
    },
    deps,
  );
}

/** Exported for its tests, which control the clock. */
export class Maintenance {
  readonly #deps: ControlDeps;
  readonly #caches: MaintenanceCaches;

  constructor(deps: ControlDeps, caches: MaintenanceCaches) {
    this.#deps = deps;
    this.#caches = caches;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const known = this.#caches.repositories.get(key);
    if (known === undefined) return 'done';
    const repository = readRepository(known);
    if (repository === undefined) return 'done';
    const waitMs = maintenanceDueAt(repository) - this.#deps.clock.now();
    if (waitMs > 0) return { requeueAfterMs: Math.min(waitMs, LONGEST_WAIT_MS) };
    if (!this.#mayWriteTo(repository.spec.backupStorageLocation)) return { requeueAfterMs: LONGEST_WAIT_MS };
    // Bypass the cache: it may not contain the run that has just ended.
    const { name, namespace = '' } = known.metadata;
    const fresh = await readObject({ type: BackupRepository, namespace, name }, this.#deps, signal);
    const current = fresh === undefined ? undefined : readRepository(fresh);
    if (fresh === undefined || current === undefined) return 'done';
    if (maintenanceDueAt(current) <= this.#deps.clock.now()) await this.#run(fresh, current, signal);
    return { requeueAfterMs: LONGEST_WAIT_MS };
  }

  /** Whether it is there, answers, and is not read-only. */
  #mayWriteTo(name: string): boolean {
    const { locations } = this.#caches;
    const location = [...locations.values()].find(({ metadata }) => metadata.name === name);
    const isReadOnly = textAt(location, 'spec', 'accessMode') === 'ReadOnly';
    return textAt(location, 'status', 'phase') === 'Available' && !isReadOnly;
  }

  async #run(object: KubeObject, repository: BackupRepository, signal: AbortSignal): Promise<void> {
    const { clock, log, events } = this.#deps;
    const startedAt = clock.now();
    const isFull = isFullMaintenanceDue(repository, startedAt);
    let problem: string | undefined;
    try {
      await this.#maintain(object, repository, isFull, signal);
    } catch (error) {
      // It was told to stop; whoever leads next begins anew.
      signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      problem = boundedText(messageOf(error));
    }
    const endedAt = clock.now();
    const run: MaintenanceRun = {
      result: problem === undefined ? 'Succeeded' : 'Failed',
      startTimestamp: toTime(startedAt),
      completeTimestamp: toTime(endedAt),
      ...(problem === undefined ? {} : { message: problem }),
    };
    await patchStatus(
      { type: BackupRepository, object, deps: this.#deps, signal },
      {
        ...(problem === undefined ? { lastMaintenanceTime: toTime(endedAt) } : {}),
        recentMaintenance: withMaintenance(repository.status.recentMaintenance, run),
      },
    );
    const { name } = object.metadata;
    const about = aboutObject(BackupRepository, object);
    if (problem === undefined) {
      log.info('maintained a repository', { repository: name, isFull, ms: endedAt - startedAt });
      return;
    }
    log.warn('a repository was not maintained', { repository: name, err: problem });
    events.record({ type: 'Warning', reason: 'MaintenanceFailed', message: problem, about });
  }

  async #maintain(object: KubeObject, { spec }: BackupRepository, isFull: boolean, stop: AbortSignal): Promise<void> {
    using opened = await this.#deps.stores.open(spec.backupStorageLocation, stop);
    const { store, changed } = opened;
    await this.#deps.movers.maintain(
      {
        id: `${object.metadata.name.slice(0, 200).replace(/[.-]+$/, '')}-maintenance`,
        owner: { type: BackupRepository, object },
        location: moverLocation(opened, store),
        repositoryNamespace: spec.volumeNamespace,
        isFull,
      },
      {
        signal: AbortSignal.any([stop, changed]),
        lasting: this.#deps.term(),
        // It can be broken off at any moment, and begun anew.
        isCanceled: () => true,
        api: () => ({ call: (request) => request() }),
        onWaiting: () => NO_WAIT,
      },
    );
  }
}

/** One that movers use; undefined of others, which are not ours to touch. */
function readRepository(object: KubeObject): BackupRepository | undefined {
  try {
    const repository = BackupRepository.parse(object).value;
    const { spec, status } = repository;
    const isOurs = spec.repositoryType === 'kopia' && isNamespaceName(spec.volumeNamespace);
    return isOurs && status.phase === 'Ready' ? repository : undefined;
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    return undefined;
  }
}
