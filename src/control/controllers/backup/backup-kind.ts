import { Backup, type BackupPhase, type BackupSpec } from '../../../api/index.ts';
import { createMergePatch, objectAt, textAt, type JsonObject } from '../../../base/index.ts';
import {
  expirationOf,
  FORMAT_VERSION,
  isEnded,
  VELERO_DEFAULTS,
  type BackupDefaults,
} from '../../../core/backup/index.ts';
import { adapterFor, type MetricName } from '../../../core/operations/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { OperationController, type Ending, type OperationKind, type Standing } from '../../operation/index.ts';
import type { Part } from '../../runtime/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import type { Caches } from '../caches.ts';
import type { ControlDeps } from '../ports.ts';
import { BackupWork } from './backup-work.ts';
import { openHooksOf } from './hooks/hook-record.ts';
import { labelsOf } from './labels.ts';
import { metadataOf, prepareBackup } from './prepare.ts';
import { placeInQueue, positionFor } from './queue.ts';
import { phaseOf, reportOf } from './status.ts';
import { thawLeftovers } from './hooks/thaw-leftovers.ts';

export interface BackupOptions {
  /** Backups at the same time; those of the same namespaces wait for each other in any case. Default 1, as Velero. */
  concurrentBackups?: number;
  defaults?: Partial<BackupDefaults>;
}

const METRICS = {
  begun: 'velero_backup_attempt_total',
  refused: 'velero_backup_validation_failure_total',
  ended: {
    completed: 'velero_backup_success_total',
    partiallyFailed: 'velero_backup_partial_failure_total',
    failed: 'velero_backup_failure_total',
    canceled: 'velero_backup_failure_total',
  },
} as const satisfies Record<string, MetricName | Record<string, MetricName>>;

const PHASES: Readonly<Record<Ending['state'], BackupPhase>> = {
  completed: 'Completed',
  partiallyFailed: 'PartiallyFailed',
  failed: 'Failed',
  canceled: 'Failed',
};

/** Runs Backups. It watches nothing but them: whatever else it needs it reads as it is at that moment. */
export function createBackupController(
  options: BackupOptions,
  deps: ControlDeps,
  caches: Pick<Caches, 'backups'>,
): { parts: Part[] } {
  return { parts: new OperationController(backupKind(options, deps, caches), deps, caches.backups).parts };
}

function backupKind(options: BackupOptions, deps: ControlDeps, { backups }: Pick<Caches, 'backups'>): OperationKind {
  const { kube, clock, namespace } = deps;
  const defaults = { ...VELERO_DEFAULTS, ...options.defaults };
  const concurrent = options.concurrentBackups ?? 1;
  const born = (spec: BackupSpec): JsonObject => ({
    version: 1,
    formatVersion: FORMAT_VERSION,
    expiration: expirationOf(clock.now(), spec, defaults),
  });
  return {
    type: Backup,
    noun: 'backup',
    capacity: concurrent,
    waiting: { type: 'Queued', reason: 'Waiting' },
    afterCancel: adapterFor(Backup.kind).afterCancel,
    metrics: { ...METRICS, labelsOf },
    standingOf,
    admit: async (object, signal) => {
      const { spec, problems } = await prepareBackup(kube, object, { namespace, defaults, signal });
      const given = objectAt(object, 'spec');
      const filled = createMergePatch(given, { ...given, ...(spec as JsonObject) });
      // Also for one that is refused, as Velero does: it is found by its location, and goes when its time is over.
      const metadata = await metadataOf(kube, spec, signal);
      return { change: { metadata, ...(filled === undefined ? {} : { spec: filled }) }, problems };
    },
    refused: ({ change }, validationErrors) => ({
      ...born(change.spec ?? {}),
      phase: 'FailedValidation',
      validationErrors,
    }),
    queued: () => ({ phase: 'Queued', queuePosition: positionFor(backups) }),
    turnOf: (object, pending, signal) => placeInQueue(object, pending, { kube, concurrent, signal }),
    begun: (object, now) => ({
      ...born(objectAt(object, 'spec')),
      ...expirationIn(object),
      phase: 'InProgress',
      queuePosition: null,
      startTimestamp: textAt(object, 'status', 'startTimestamp') ?? toTime(now),
    }),
    ended: ({ state, reason }, now) => ({
      phase: PHASES[state],
      completionTimestamp: toTime(now),
      queuePosition: null,
      ...(reason === undefined ? {} : { failureReason: reason }),
    }),
    reportOf,
    open: (operation) => new BackupWork(operation, deps),
    logFields: ({ metadata }) => ({ backup: `${metadata.namespace ?? ''}/${metadata.name}` }),
    leftovers: {
      has: (object) => openHooksOf(object).length > 0,
      clear: (object, signal) => thawLeftovers(object, deps, signal),
    },
  };
}

function standingOf(object: KubeObject): Standing {
  const phase = phaseOf(object) ?? 'New';
  if (isEnded(phase)) return 'ended';
  if (phase === 'New') return 'new';
  return phase === 'Queued' || phase === 'ReadyToStart' ? 'queued' : 'begun';
}

/** Given once: a second attempt does not make a backup live longer. */
function expirationIn(object: KubeObject): JsonObject {
  const expiration = textAt(object, 'status', 'expiration');
  return expiration === undefined ? {} : { expiration };
}
