import { BackupStorageLocation } from '../../../api/index.ts';
import { AppError, isAppError, stringifyJson, textAt, toAppError } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, splitKey, type ConditionChange, type Part, type ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import {
  aboutObject,
  boundedText,
  patchObject,
  patchStatus,
  toTime,
  withCondition,
} from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { defaultChange, dueInMs, periodMs, strangerProblem } from './decide-location.ts';

export interface LocationOptions {
  /** The location that becomes the default when there is none. Default `default`. */
  defaultLocation?: string;
}

// Several stores may hang at once, and must not keep the others from being checked.
const WORKERS = 4;
const CHECK_MS = 45_000;
/** We use six. A location with this many is used for something else, and a million of them would only fill memory. */
const MAX_FOLDERS = 1000;
const LONGEST_WAIT_MS = 60_000;

export function createLocationController(options: LocationOptions, deps: ControlDeps, caches: Caches): Part {
  const locations = new Locations(options, deps, caches);
  return new Controller(
    {
      name: 'location',
      workers: WORKERS,
      sources: [{ cache: caches.locations }],
      reconcile: async (key, signal) => await locations.reconcile(key, signal),
    },
    deps,
  );
}

/** Exported for its tests, which control the clock. */
export class Locations {
  readonly #options: LocationOptions;
  readonly #deps: ControlDeps;
  readonly #caches: Pick<Caches, 'locations'>;
  /** The spec that was last checked, by uid: a changed one is checked at once. */
  readonly #checked = new Map<string, string>();

  constructor(options: LocationOptions, deps: ControlDeps, caches: Pick<Caches, 'locations'>) {
    this.#options = options;
    this.#deps = deps;
    this.#caches = caches;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { locations } = this.#caches;
    const object = locations.get(key);
    if (object === undefined) {
      this.#deps.stores.forget(splitKey(key).name);
      const known = new Set([...locations.values()].map(({ metadata }) => metadata.uid));
      for (const uid of this.#checked.keys()) if (!known.has(uid)) this.#checked.delete(uid);
      return 'done';
    }
    const change = defaultChange(object, [...locations.values()], this.#options.defaultLocation ?? 'default');
    if (change !== undefined) {
      await this.#setDefault(object, change, signal);
      // The changed object is reconciled again.
      return 'done';
    }
    return await this.#check(object, signal);
  }

  async #check(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { clock } = this.#deps;
    const everyMs = periodMs(textAt(object, 'spec', 'validationFrequency'));
    const spec = stringifyJson(object['spec'] ?? {});
    const isNew = this.#checked.get(object.metadata.uid ?? '') !== spec;
    const last = isNew ? undefined : textAt(object, 'status', 'lastValidationTime');
    const waitMs = dueInMs(last, everyMs, clock.now());
    if (waitMs === undefined) return 'done';
    if (waitMs > 0) return { requeueAfterMs: Math.min(waitMs, LONGEST_WAIT_MS) };
    const problem = await this.#problemOf(object, signal);
    await this.#tell(object, problem, signal);
    this.#checked.set(object.metadata.uid ?? '', spec);
    return everyMs === 0 ? 'done' : { requeueAfterMs: Math.min(everyMs, LONGEST_WAIT_MS) };
  }

  async #problemOf(object: KubeObject, signal: AbortSignal): Promise<AppError | undefined> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
    try {
      const location = BackupStorageLocation.parse(object).value;
      using opened = await this.#deps.stores.openFor(location, object.metadata.uid ?? '', limit);
      const { store } = opened;
      const folders: string[] = [];
      // Only folders are listed: however many objects they contain, each is one entry.
      for await (const folder of store.listPrefixes('', { signal: limit })) {
        folders.push(folder);
        if (folders.length === MAX_FOLDERS) break;
      }
      const problem = strangerProblem(folders);
      return problem === undefined ? undefined : new AppError('invalidConfig', problem);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) return new AppError('timeout', `list the top folders: no answer within ${CHECK_MS / 1000} s`);
      // Any error belongs to this location and is reported there.
      if (isAppError(error)) return error;
      throw toAppError(error);
    }
  }

  async #tell(object: KubeObject, problem: AppError | undefined, signal: AbortSignal): Promise<void> {
    const { clock, events, metrics, log } = this.#deps;
    const phase = problem === undefined ? 'Available' : 'Unavailable';
    const condition: ConditionChange =
      problem === undefined
        ? { type: 'Ready', status: 'True', reason: 'Available', message: 'the store answers' }
        : { type: 'Ready', status: 'False', reason: problem.facts.reason, message: problem.message };
    await patchStatus(
      { type: BackupStorageLocation, object, deps: this.#deps, signal },
      {
        phase,
        message: problem === undefined ? null : boundedText(problem.message),
        lastValidationTime: toTime(clock.now()),
        conditions: withCondition(object, condition, clock.now()),
      },
    );
    const { name } = object.metadata;
    metrics.set('velero_backup_location_status_gauge', { backupLocationName: name }, problem === undefined ? 1 : 0);
    if (textAt(object, 'status', 'phase') === phase) return;
    const about = aboutObject(BackupStorageLocation, object);
    log.info('location changed', { location: name, phase, err: problem?.message });
    if (problem === undefined) events.record({ type: 'Normal', reason: phase, message: condition.message, about });
    else events.record({ type: 'Warning', reason: phase, message: problem.message, about });
  }

  async #setDefault(object: KubeObject, isDefault: boolean, signal: AbortSignal): Promise<void> {
    const write = { type: BackupStorageLocation, object, deps: this.#deps, signal };
    await patchObject(write, { spec: { default: isDefault } });
    const message = isDefault
      ? 'No location was the default, and this one has the default name'
      : 'Another, younger location is the default';
    const about = aboutObject(BackupStorageLocation, object);
    this.#deps.events.record({ type: 'Normal', reason: 'DefaultChanged', message, about });
  }
}
