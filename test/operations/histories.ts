import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, objectsAt, textAt, type Json, type JsonObject } from '../../src/base/index.ts';
import type { OperationState } from '../../src/core/progress/index.ts';

/** The statuses that one object had, one after the other, as some program wrote them. */
export interface History {
  kind: string;
  name: string;
  spec: JsonObject;
  /** When each was written, in milliseconds after the first. */
  moments: { ms: number; status: JsonObject }[];
  ends: OperationState;
  /** In which order its steps run, as far as it has some. */
  steps?: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../fixtures/histories');
const START = Date.parse('2026-01-01T00:00:00Z');
const time = (ms: number): string => new Date(START + ms).toISOString().replace('.000Z', 'Z');

/** What real Kanister 0.119.0 wrote, seen by a watch; the record has errors and percents in a shorter form. */
function recorded(name: string, ends: OperationState): History {
  const lines = readFileSync(join(FOLDER, `kanister-${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const moments = lines.flatMap((line) => {
    const { ms, status } = JSON.parse(line) as { ms: number; status?: JsonObject };
    return status === undefined ? [] : [{ ms, status: asWritten(status) }];
  });
  const phases = objectsAt(moments.at(-1)?.status, 'actions').flatMap((action) => objectsAt(action, 'phases'));
  const steps = phases.map((phase) => textAt(phase, 'name') ?? '');
  return { kind: 'ActionSet', name: `recorded-${name}`, spec: {}, moments, ends, steps };
}

function asWritten(status: JsonObject): JsonObject {
  const phase = (value: Json | undefined): Json => {
    const { percent, ...rest } = isObject(value) ? value : {};
    return { ...rest, progress: percent === undefined ? {} : { progressPercent: percent } };
  };
  const actions = objectsAt(status, 'actions').map((action) => ({
    ...action,
    phases: objectsAt(action, 'phases').map(phase),
    ...(isObject(action['deferPhase']) ? { deferPhase: phase(action['deferPhase']) } : {}),
  }));
  const { error } = status;
  return { ...status, actions, ...(typeof error === 'string' ? { error: { message: error } } : {}) };
}

/** As seed 002's plugins and Velero's movers count: bytes, one second apart. */
function volume(kind: string, last: JsonObject, ends: OperationState): History {
  const moments = Array.from({ length: 11 }, (_, at) => ({
    ms: at * 1000,
    status: { phase: 'InProgress', startTimestamp: time(0), progress: { totalBytes: 1e9, bytesDone: at * 9e7 } },
  }));
  const end = { phase: 'Completed', startTimestamp: time(0), completionTimestamp: time(11_000), ...last };
  return {
    kind,
    name: `played-${kind.toLowerCase()}-${ends}`,
    spec: SPECS[kind] ?? {},
    moments: [{ ms: 0, status: { phase: 'New' } }, ...moments, { ms: 11_000, status: end }],
    ends,
  };
}

const SPECS: Readonly<Record<string, JsonObject>> = {
  VolumePluginBackup: { volume: 'pv-1', backup: 'played', plugin: 'example.com/p' },
  VolumePluginRestore: { snapshotID: 's-1', backup: 'played', plugin: 'example.com/p' },
  PodVolumeBackup: {
    node: 'n',
    pod: { namespace: 'shop', name: 'db-0' },
    volume: 'data',
    backupStorageLocation: 'default',
    repoIdentifier: '',
  },
  PodVolumeRestore: {
    pod: { namespace: 'shop', name: 'db-0' },
    volume: 'data',
    backupStorageLocation: 'default',
    repoIdentifier: '',
    snapshotID: 's-1',
    sourceNamespace: 'shop',
  },
  DataUpload: {
    snapshotType: 'CSI',
    sourcePVC: 'data',
    sourceNamespace: 'shop',
    backupStorageLocation: 'default',
    operationTimeout: '10m',
  },
  DataDownload: {
    targetVolume: { pvc: 'data', pv: '', namespace: 'shop' },
    backupStorageLocation: 'default',
    snapshotID: 's-1',
    sourceNamespace: 'shop',
    operationTimeout: '10m',
  },
  Backup: { storageLocation: 'default' },
  Restore: { backupName: 'played' },
};

/** Velero's items, of which more are found while it runs, so that the share of what is done falls. */
function items(kind: 'Backup' | 'Restore'): History {
  const done = kind === 'Backup' ? 'itemsBackedUp' : 'itemsRestored';
  const totals = [100, 100, 100, 160, 160, 160, 200, 200, 200, 200];
  const running = totals.map((totalItems, at) => ({
    ms: at * 1000,
    status: {
      phase: 'InProgress',
      startTimestamp: time(0),
      progress: { totalItems, [done]: Math.min(80 + at * 12, 200) },
    },
  }));
  const status = {
    phase: 'Completed',
    startTimestamp: time(0),
    completionTimestamp: time(10_000),
    progress: { totalItems: 200, [done]: 200 },
  };
  const moments = [...running, { ms: 10_000, status }];
  return { kind, name: `played-${kind.toLowerCase()}`, spec: SPECS[kind] ?? {}, moments, ends: 'completed' };
}

const STEPS = ['Prepare', 'Backup', 'StageBackup', 'StageRestore', 'Restore', 'Cleanup'];
const PHASES = 24;

/** A migration of MTC: phases counted in a condition, steps in a pipeline, lines of progress whose total comes late. */
function migration(
  name: string,
  stopAt: number,
  ending: (pipeline: JsonObject[]) => JsonObject,
  ends: OperationState,
): History {
  const perStep = PHASES / STEPS.length;
  const running = Array.from({ length: stopAt }, (_, at) => {
    const current = Math.floor(at / perStep);
    const pipeline = STEPS.map((step, index) => {
      if (index > current) return { name: step, message: 'Not started' };
      const started = { name: step, started: time(index * perStep * 500) };
      if (index < current) return { ...started, completed: time((index + 1) * perStep * 500), message: 'Completed' };
      const share = at % perStep;
      const lines =
        share === 0
          ? []
          : [
              `Backup velero/b: ${String(share * 3)} out of estimated total of 9 objects backed up (1s)`,
              ...(share < 3 ? [] : ['PodVolumeBackup velero/v: Waiting for ongoing volume backup(s) to complete']),
            ];
      return { ...started, phase: `Phase${String(at)}`, message: 'working', progress: lines };
    });
    const condition = {
      type: 'Running',
      status: 'True',
      category: 'Advisory',
      reason: `Phase${String(at)}`,
      message: `Step: ${String(at + 1)}/${String(PHASES)}`,
      lastTransitionTime: time(at * 500),
    };
    return {
      ms: at * 500,
      status: {
        itinerary: 'Final',
        phase: `Phase${String(at)}`,
        startTimestamp: time(0),
        conditions: [condition],
        pipeline,
      },
    };
  });
  const last = running.at(-1)?.status ?? {};
  const end = { ...last, ...ending(objectsAt(last, 'pipeline')) };
  return {
    kind: 'MigMigration',
    name,
    spec: { stage: false },
    moments: [...running, { ms: stopAt * 500, status: end }],
    ends,
    steps: ['Prepare', 'Backup', 'DataBackup', 'DataRestore', 'Restore', 'Cleanup'],
  };
}

const condition = (type: string, more: JsonObject = {}): JsonObject => ({
  type,
  status: 'True',
  category: 'Advisory',
  lastTransitionTime: time(20_000),
  ...more,
});

const ended =
  (mark: JsonObject) =>
  (step: JsonObject): JsonObject =>
    step['started'] === undefined
      ? { ...step, skipped: true, message: 'Skipped' }
      : step['completed'] === undefined
        ? { ...step, completed: time(20_000), ...mark }
        : step;

export const HISTORIES: readonly History[] = [
  recorded('01-kubetask-output', 'completed'),
  recorded('05-scale', 'completed'),
  recorded('08-defer', 'failed'),
  recorded('15-parallel', 'completed'),
  ...['VolumePluginBackup', 'PodVolumeBackup', 'DataUpload'].map((kind) => volume(kind, {}, 'completed')),
  ...['VolumePluginRestore', 'PodVolumeRestore', 'DataDownload'].map((kind) =>
    volume(kind, { phase: 'Failed', message: 'no space left' }, 'failed'),
  ),
  volume('VolumePluginBackup', { phase: 'Canceled' }, 'canceled'),
  items('Backup'),
  items('Restore'),
  migration(
    'played-well',
    PHASES,
    (pipeline) => ({
      phase: 'Completed',
      conditions: [condition('Succeeded')],
      pipeline: pipeline.map(ended({ message: 'Completed' })),
    }),
    'completed',
  ),
  migration(
    'played-failed',
    10,
    (pipeline) => ({
      phase: 'Completed',
      itinerary: 'Failed',
      errors: ['the backup failed'],
      conditions: [condition('Failed', { reason: 'Phase9' })],
      pipeline: pipeline.map(ended({ failed: true, message: 'Failed' })),
    }),
    'failed',
  ),
  migration(
    'played-canceled',
    14,
    (pipeline) => ({
      phase: 'Canceled',
      itinerary: 'Cancel',
      conditions: [condition('Canceled')],
      pipeline: pipeline.map(ended({ canceled: true, message: 'Canceled' })),
    }),
    'canceled',
  ),
  direct(),
  directProgress(),
  images(),
];

function direct(): History {
  const pod = (name: string, percent?: string): JsonObject => ({
    namespace: 'shop',
    name: `rsync-${name}`,
    pvcRef: { namespace: 'shop', name },
    ...(percent === undefined ? {} : { lastObservedProgressPercent: percent }),
  });
  const running = [0, 20, 40, 60, 80, 95].map((percent, at) => ({
    ms: at * 1000,
    status: {
      phase: 'RunRsyncOperations',
      startTimestamp: time(0),
      conditions: [condition('Running', { message: `Step: 17/20` })],
      ...(at < 3 ? { runningPods: [pod('a', `${String(percent)}%`)], pendingPods: [pod('b')] } : {}),
      // Another attempt begins at nothing.
      ...(at >= 3 ? { successfulPods: [pod('a', '100%')], runningPods: [pod('b', at === 3 ? '30%' : '5%')] } : {}),
    },
  }));
  const status = {
    phase: 'Completed',
    startTimestamp: time(0),
    conditions: [condition('Succeeded')],
    successfulPods: [pod('a', '100%'), pod('b', '100%')],
  };
  const claims = ['a', 'b'].map((name) => ({
    namespace: 'shop',
    name,
    targetStorageClass: 's',
    targetAccessModes: [],
  }));
  return {
    kind: 'DirectVolumeMigration',
    name: 'played-dvm',
    spec: { persistentVolumeClaims: claims },
    moments: [...running, { ms: 6000, status }],
    ends: 'completed',
  };
}

function directProgress(): History {
  const running = ['0%', '45%', '12%', '80%'].map((percent, at) => ({
    ms: at * 1000,
    status: {
      podName: 'rsync-a',
      phase: 'Running',
      totalProgressPercentage: percent,
      lastObservedTransferRate: '9.76MB/s',
    },
  }));
  const status = { podName: 'rsync-a', phase: 'Succeeded', totalProgressPercentage: '100%' };
  return {
    kind: 'DirectVolumeMigrationProgress',
    name: 'played-dvmp',
    spec: {},
    moments: [...running, { ms: 4000, status }],
    ends: 'completed',
  };
}

function images(): History {
  const streams = (...names: string[]): JsonObject[] => names.map((name) => ({ namespace: 'shop', name }));
  const running = [[], ['a'], ['a', 'b']].map((done, at) => ({
    ms: at * 1000,
    status: {
      phase: 'WaitingForDirectImageStreamMigrationsToComplete',
      startTimestamp: time(0),
      conditions: [condition('Running')],
      newISs: streams(...['a', 'b', 'c'].filter((name) => !done.includes(name))),
      successfulISs: streams(...done),
    },
  }));
  const status = { phase: 'Completed', conditions: [condition('Succeeded')], successfulISs: streams('a', 'b', 'c') };
  return {
    kind: 'DirectImageMigration',
    name: 'played-dim',
    spec: { namespaces: ['shop'] },
    moments: [...running, { ms: 3000, status }],
    ends: 'completed',
  };
}
