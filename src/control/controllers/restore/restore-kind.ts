import { Restore, type RestorePhase } from '../../../api/index.ts';
import { createMergePatch, isAppError, objectAt, textAt, type JsonObject } from '../../../base/index.ts';
import { adapterFor, type MetricName } from '../../../core/operations/index.ts';
import { isEndPhase, namesItsNamespaces, reasonToWait, type PendingRestore } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import {
  OperationController,
  type Ending,
  type OperationKind,
  type Pending,
  type Standing,
} from '../../operation/index.ts';
import type { Part } from '../../runtime/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import type { Caches } from '../caches.ts';
import type { ControlDeps } from '../ports.ts';
import { FINALIZER, removeFiles } from './clean-up.ts';
import { settingsOf, type RestoreOptions } from './options.ts';
import { reportOf } from './restore-status.ts';
import { RestoreWork } from './restore-work.ts';
import { BackupNamespaces } from './source/backup-namespaces.ts';
import { validate, type Validation } from './validation.ts';

const METRICS = {
  begun: 'velero_restore_attempt_total',
  refused: 'velero_restore_validation_failed_total',
  ended: {
    completed: 'velero_restore_success_total',
    partiallyFailed: 'velero_restore_partial_failure_total',
    failed: 'velero_restore_failed_total',
    canceled: 'velero_restore_failed_total',
  },
} as const satisfies Record<string, MetricName | Record<string, MetricName>>;

const PHASES: Readonly<Record<Ending['state'], RestorePhase>> = {
  completed: 'Completed',
  partiallyFailed: 'PartiallyFailed',
  failed: 'Failed',
  canceled: 'Failed',
};

/** Runs Restores. It watches only them: everything else is read when it is needed. */
export function createRestoreController(
  options: RestoreOptions,
  deps: ControlDeps,
  caches: Pick<Caches, 'restores'>,
): { parts: Part[] } {
  return { parts: new OperationController(restoreKind(options, deps), deps, caches.restores).parts };
}

function restoreKind(options: RestoreOptions, deps: ControlDeps): OperationKind {
  const settings = settingsOf(options);
  const backupNamespaces = new BackupNamespaces(deps);
  return {
    type: Restore,
    noun: 'restore',
    capacity: settings.concurrent,
    waiting: { type: 'Waiting', reason: 'OtherRestores' },
    afterCancel: adapterFor(Restore.kind).afterCancel,
    metrics: {
      ...METRICS,
      labelsOf: (object) => ({ schedule: textAt(object, 'spec', 'scheduleName') ?? '' }),
    },
    standingOf,
    admit: async (object, signal) => {
      const { spec, errors } = await validateObject(object, deps, signal);
      const given = objectAt(object, 'spec');
      const filled = createMergePatch(given, { ...given, ...(spec as unknown as JsonObject) });
      const { finalizers = [] } = object.metadata;
      const metadata = { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] };
      return {
        // A refused restore has no files that must be deleted with it.
        change: { ...(errors.length > 0 ? {} : { metadata }), ...(filled === undefined ? {} : { spec: filled }) },
        problems: errors,
      };
    },
    refused: (_admission, validationErrors) => ({ phase: 'FailedValidation', validationErrors }),
    turnOf: async (object, pending, signal) => {
      const hasOthers = pending.some((other) => other.object.metadata.uid !== object.metadata.uid);
      const look = (one: Pending): Promise<PendingRestore> => pendingOf(one, backupNamespaces, signal);
      const others = hasOthers ? await Promise.all(pending.map(look)) : [];
      const own =
        others.find(({ name }) => name === object.metadata.name) ?? simplePending({ object, isRunning: false });
      const reason = reasonToWait(own, others, settings.concurrent);
      return reason === undefined ? 'begin' : { reason, status: { phase: 'New' } };
    },
    begun: (object, now) => {
      const phase = textAt(object, 'status', 'phase') ?? 'New';
      return {
        phase: phase === 'New' ? 'InProgress' : phase,
        startTimestamp: textAt(object, 'status', 'startTimestamp') ?? toTime(now),
      };
    },
    ended: ({ state, reason }, now) => ({
      phase: PHASES[state],
      completionTimestamp: toTime(now),
      execHooks: null,
      ...(reason === undefined ? {} : { failureReason: reason }),
    }),
    reportOf,
    open: (operation) => new RestoreWork(operation, deps, settings),
    logFields: ({ metadata }) => ({ restore: `${metadata.namespace ?? deps.namespace}/${metadata.name}` }),
    leftovers: {
      has: ({ metadata }) =>
        metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FINALIZER) === true,
      clear: (object, signal) => removeFiles(object, deps, signal),
    },
  };
}

function standingOf(object: KubeObject): Standing {
  const phase = (textAt(object, 'status', 'phase') ?? 'New') as RestorePhase;
  if (isEndPhase(phase)) return 'ended';
  return phase === 'New' ? 'new' : 'begun';
}

async function validateObject(object: KubeObject, deps: ControlDeps, signal: AbortSignal): Promise<Validation> {
  let restore: Restore;
  try {
    restore = Restore.parse(object).value;
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    const problems = error.details?.['problems'];
    return { spec: {}, errors: Array.isArray(problems) ? problems.map(String) : [error.message] };
  }
  const { kube, namespace, clock } = deps;
  return await validate(restore, { kube, namespace, clock, signal });
}

/** What only the backup knows is looked up, because most restores name no namespaces. */
async function pendingOf(pending: Pending, backups: BackupNamespaces, signal: AbortSignal): Promise<PendingRestore> {
  const plain = simplePending(pending);
  const { backupName = '' } = plain.spec;
  if (namesItsNamespaces(plain.spec) || backupName === '') return plain;
  return { ...plain, namespaces: await backups.of(backupName, signal) };
}

function simplePending({ object, isRunning }: Pending): PendingRestore {
  return {
    name: object.metadata.name,
    createdAt: object.metadata.creationTimestamp ?? '',
    isRunning,
    spec: (object['spec'] ?? {}) as Restore['spec'],
  };
}
