/** Objects of every kind for bench/server.ts, as the engines and upstream's programs write them. */
import type { JsonObject } from '../src/base/index.ts';

export interface Sample {
  /** Its number among all. */
  at: number;
  /** Milliseconds since 1970; a page reads from it how old a change is. */
  now: number;
  isRunning: boolean;
  /** How many kinds there are: neighbours in number are parts of one another. */
  of: number;
}

const STARTED = '2026-01-01T00:00:00Z';
const ENDED = '2026-01-01T00:00:05Z';
const GiB = 1024 ** 3;

/** Where the reader finds the time of the change. */
const mark = (now: number): string => `shop/configmaps/at-${String(now)}`;

function progress({ now }: Sample, more: JsonObject = {}): JsonObject {
  const done = Math.floor((now / 100) % 100_000);
  return {
    percent: Math.floor(done / 1000),
    stage: 'archiving',
    current: mark(now),
    ratePerSecond: 812,
    etaSeconds: 120,
    lastProgressTime: new Date(now).toISOString(),
    ...more,
  };
}

function velero(sample: Sample, more: JsonObject): JsonObject {
  if (!sample.isRunning) return { phase: 'Completed', startTimestamp: STARTED, completionTimestamp: ENDED };
  return { phase: 'InProgress', startTimestamp: STARTED, progress: progress(sample, more) };
}

function volume(sample: Sample): JsonObject {
  const done = Math.floor((sample.now / 100) % 100_000) * 1e4;
  return velero(sample, { bytesDone: done, totalBytes: GiB, stage: 'uploading' });
}

function actionSet(sample: Sample): JsonObject {
  const phase = (name: string, state: string, progressPercent: string): JsonObject => ({
    name,
    state,
    progress: { progressPercent, lastTransitionTime: STARTED, sizeUploadedB: 50_000, estimatedUploadSizeB: GiB },
  });
  const phases = sample.isRunning
    ? [phase('prepare', 'complete', '100.00'), phase('dump', 'running', '30.00'), { name: 'clean', state: 'pending' }]
    : [phase('prepare', 'complete', '100.00'), phase('dump', 'complete', '100.00')];
  return {
    state: sample.isRunning ? 'running' : 'complete',
    progress: sample.isRunning ? { ...progress(sample), percentCompleted: '43.33', runningPhase: 'dump' } : {},
    actions: [{ name: 'backup', object: { kind: 'statefulset', namespace: 'shop', name: 'mysql' }, phases }],
  };
}

function migration(sample: Sample): JsonObject {
  const condition = (type: string, more: JsonObject): JsonObject => ({
    type,
    status: 'True',
    category: 'Advisory',
    lastTransitionTime: STARTED,
    ...more,
  });
  if (!sample.isRunning) {
    return { phase: 'Completed', startTimestamp: STARTED, conditions: [condition('Succeeded', {})] };
  }
  const step = (name: string, more: JsonObject = {}): JsonObject => ({ name, message: 'Not started', ...more });
  return {
    phase: 'StageBackupCreated',
    startTimestamp: STARTED,
    conditions: [condition('Running', { reason: 'StageBackupCreated', message: 'Step: 18/33' })],
    pipeline: [
      step('Prepare', { started: STARTED, completed: ENDED }),
      step('Backup', { started: STARTED, completed: ENDED }),
      step('DataBackup', {
        started: ENDED,
        phase: 'StageBackupCreated',
        progress: ['Backup velero/a: 6 out of 9 objects'],
      }),
      step('DataRestore'),
      step('Restore'),
      step('Final'),
    ],
    progress: progress(sample),
  };
}

const STATUS: Readonly<Record<string, (sample: Sample) => JsonObject>> = {
  Backup: (sample) => velero(sample, { itemsBackedUp: Math.floor((sample.now / 100) % 100_000), totalItems: 100_000 }),
  Restore: (sample) => velero(sample, { itemsRestored: Math.floor((sample.now / 100) % 100_000), totalItems: 100_000 }),
  ActionSet: actionSet,
  MigMigration: migration,
  DirectVolumeMigration: migration,
  DirectImageMigration: migration,
};

/** Everything beside apiVersion, kind and the rest of the metadata. Volumes are parts of the backup that is nearest. */
export function sampleFields(
  kind: string,
  sample: Sample,
): { labels: Record<string, string>; spec: JsonObject; status: JsonObject } {
  const backup = `op-${String(sample.at - (sample.at % sample.of))}`;
  return {
    labels: { 'velero.io/backup-name': backup },
    spec: { storageLocation: 'default', includedNamespaces: ['shop', 'billing'], backup },
    status: (STATUS[kind] ?? volume)(sample),
  };
}
