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
import { mayBeFrozen } from './hooks/frozen-condition.ts';
import { openHooksOf } from './hooks/hook-record.ts';
import { labelsOf } from './labels.ts';
import { metadataOf, prepareBackup } from './prepare.ts';
import { placeInQueue, positionFor } from './queue.ts';
import { phaseOf, reportOf } from './status.ts';
import { thawLeftovers } from './hooks/thaw-leftovers.ts';

export interface BackupOptions {
  /** Backups that run in parallel; those of the same namespaces always wait for each other. Default 1, as in Velero. */
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

/** Runs Backups. It watches only them: everything else is read when it is needed. */
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
      // Also for a refused backup, as in Velero: it can be found by its location, and expires.
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
      conditionOf: (object) => {
        const open = openHooksOf(object);
        return open.length === 0 ? undefined : mayBeFrozen(open);
      },
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

/** Set once: a second attempt does not extend the life of a backup. */
function expirationIn(object: KubeObject): JsonObject {
  const expiration = textAt(object, 'status', 'expiration');
  return expiration === undefined ? {} : { expiration };
}
