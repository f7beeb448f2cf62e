import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { adapterFor, operationTitle, readDetail, type ReadDetail } from './index.ts';
import { linesPercent, readLines } from './kinds/progress-lines.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');

function read(kind: string, status: JsonObject, fields: { spec?: JsonObject; metadata?: JsonObject } = {}): ReadDetail {
  const metadata = { name: 'x', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z', ...fields.metadata };
  const object = { apiVersion: 'v1', kind, metadata, spec: fields.spec ?? {}, status } as unknown as KubeObject;
  return readDetail(adapterFor(kind), object, { cluster: 'c', now: NOW });
}
const condition = (type: string, fields: JsonObject = {}): JsonObject => ({
  type,
  status: 'True',
  category: 'Advisory',
  lastTransitionTime: '2026-01-01T00:05:00Z',
  ...fields,
});
const conditions = (...types: string[]): JsonObject => ({ conditions: types.map((type) => condition(type)) });

describe('the state of a migration', () => {
  it.each<[JsonObject, string]>([
    [{}, 'pending'],
    [{ phase: 'Created' }, 'pending'],
    [{ phase: 'SomethingNew' }, 'running'],
    [{ startTimestamp: '2026-01-01T00:00:00Z' }, 'running'],
    [conditions('Running'), 'running'],
    [{ ...conditions('Succeeded'), phase: 'Completed' }, 'completed'],
    [{ phase: 'Completed' }, 'completed'],
    [{ ...conditions('SucceededWithWarnings'), phase: 'Completed' }, 'completed'],
    [{ ...conditions('SucceededWithWarnings', 'DirectVolumeMigrationFailed'), phase: 'Completed' }, 'partiallyFailed'],
    [{ ...conditions('SucceededWithWarnings', 'VeleroStageRestorePartiallyFailed') }, 'partiallyFailed'],
    [{ ...conditions('Failed'), phase: 'Completed' }, 'failed'],
    [{ errors: ['x'], phase: 'Completed' }, 'failed'],
    // It still cleans up.
    [{ ...conditions('Failed', 'Running'), phase: 'DeleteMigrated', itinerary: 'Failed' }, 'running'],
    [{ ...conditions('Canceling', 'Running'), phase: 'DeleteBackups', itinerary: 'Cancel' }, 'running'],
    [{ ...conditions('Canceled', 'Succeeded'), phase: 'Completed' }, 'canceled'],
    [{ ...conditions('Canceled'), phase: 'Canceled' }, 'canceled'],
  ])('%j is %s', (status, state) => {
    for (const kind of ['MigMigration', 'DirectVolumeMigration', 'DirectImageMigration']) {
      expect(read(kind, status).report.state, kind).toBe(state);
    }
  });

  it('has no new percent from the phases of a cleanup', () => {
    const running = condition('Running', { message: 'Step: 4/7', reason: 'DeleteMigrated' });
    const { report } = read('MigMigration', { conditions: [running, condition('Failed')], itinerary: 'Failed' });
    expect(report).not.toHaveProperty('percent');
    expect(report.measures).toEqual([]);
  });

  it('waits for its turn with a cause, which is no problem', () => {
    const postponed = condition('Postponed', {
      category: 'Critical',
      message: 'Waiting 20 seconds for migrations [a]',
    });
    const { report, problems } = read('MigMigration', { conditions: [postponed] });
    expect(report.waits).toEqual([{ cause: 'Waiting 20 seconds for migrations [a]', since: '2026-01-01T00:05:00Z' }]);
    expect(problems).toEqual([]);
  });
});

it.each<[string, JsonObject, JsonObject, string | undefined]>([
  ['a kind that is not known', { kind: 'Pod' }, {}, 'Pod is not known here'],
  ['no kind', {}, {}, 'kind is missing'],
  ['a kind that is known', { kind: 'deployment' }, {}, undefined],
  ['a kind that is described', { kind: 'Pod', apiVersion: 'v1', resource: 'pods' }, {}, undefined],
  ['an answer already', { kind: 'Pod' }, { state: 'failed' }, undefined],
])('an action set with %s waits: %#', (_, object, status, cause) => {
  const { report } = read('ActionSet', status, { spec: { actions: [{ name: 'a', object }] } });
  const waits = [{ cause: expect.stringContaining(cause ?? '') as string, since: '2026-01-01T00:00:00Z' }];
  expect(report.waits).toEqual(cause === undefined ? undefined : waits);
});

it('tells problems by the category of their condition', () => {
  const told = read('MigMigration', {
    errors: ['the backup failed'],
    conditions: [
      condition('Ready', { category: 'Required', message: 'ready' }),
      condition('StagePodsCreated', { message: '[2] created' }),
      condition('ResticErrors', { category: 'Warn', message: 'one file changed' }),
      condition('PlanConflict', { category: 'Error', message: 'two plans' }),
      condition('ReconcileFailed', { category: 'Critical', message: 'the cluster is away' }),
      condition('Gone', { category: 'Critical', message: 'no longer so', status: 'False' }),
    ],
  });
  expect(told.problems.map(({ level, text }) => `${level} ${text}`)).toEqual([
    'error the backup failed',
    'error two plans',
    'error the cluster is away',
    'warning one file changed',
  ]);
  expect([told.errors, told.warnings]).toEqual([3, 1]);
});

describe('a canceled step', () => {
  it('is other than a failed one', () => {
    const step = { name: 'Backup', started: '2026-01-01T00:00:00Z', completed: '2026-01-01T00:01:00Z', phase: 'x' };
    const states = [{ canceled: true }, { failed: true }, { message: 'Canceled' }].map(
      (mark) => read('MigMigration', { ...conditions('Canceled'), pipeline: [{ ...step, ...mark }] }).steps[0]?.state,
    );
    expect(states).toEqual(['Canceled', 'Failed', 'Canceled']);
  });

  it('of an action is the phase that it stopped in', () => {
    const actions = [
      {
        phases: [
          { name: 'a', state: 'complete' },
          { name: 'b', state: 'failed' },
          { name: 'c', state: 'pending' },
        ],
        deferPhase: { name: 'd', state: 'complete' },
      },
    ];
    const { report, steps, sentence } = read('ActionSet', { state: 'failed', error: { message: 'canceled' }, actions });
    expect(report.state).toBe('canceled');
    expect(steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'a Completed',
      'b Canceled',
      'c Skipped',
      'd Completed',
    ]);
    expect(sentence).toBe('Canceled; ran 1 of 3 phases');
  });
});

describe('a volume', () => {
  it('is called by its claim', () => {
    const spec = { volume: 'data', pod: { namespace: 'shop', name: 'db-0' } };
    const metadata = { name: 'nightly-2xk', annotations: { 'velero.io/pvc-name': 'pgdata' } };
    expect(operationTitle(read('PodVolumeBackup', {}, { spec, metadata }))).toBe('volume/pgdata');
    expect(operationTitle(read('PodVolumeBackup', {}, { metadata: { name: 'nightly-2xk' } }))).toBe(
      'volume/nightly-2xk',
    );
  });

  it('of a plugin is called by its claim, and tells attempt, files and what was not copied again', () => {
    const metadata = { name: 'b-0123456789', annotations: { 'headway.io/claim': 'shop/pgdata' } };
    const spec = { volume: 'pvc-1', backup: 'b', plugin: 'kopia' };
    const counts = { attempt: 2, reusedBytes: 10, uploadedBytes: 3, fileCount: 7 };
    const { facts, ...volume } = read('VolumePluginBackup', { phase: 'Completed', ...counts }, { spec, metadata });
    expect(operationTitle({ ...volume, facts })).toBe('volume/pgdata');
    expect(facts).toMatchObject({ claim: 'shop/pgdata', attempt: 2, reusedBytes: 10, uploadedBytes: 3, files: 7 });
    const first = read('VolumePluginBackup', { attempt: 1, reusedBytes: 0 }, { spec });
    expect(first.facts).toEqual({ volume: 'pvc-1', backup: 'b', plugin: 'kopia' });
  });

  it('of a plugin that cannot report progress has none, and completes all the same', () => {
    const begun = { phase: 'InProgress', startTimestamp: '2026-01-01T00:00:00Z' };
    const { report } = read('VolumePluginBackup', begun);
    expect(report).toMatchObject({ state: 'running', measures: [], startedAt: '2026-01-01T00:00:00Z' });
    expect(report).not.toHaveProperty('percent');
    const ended = { ...begun, phase: 'Completed', completionTimestamp: '2026-01-01T00:00:05Z' };
    expect(read('VolumePluginBackup', ended)).toMatchObject({
      report: { percent: 100 },
      sentence: 'Completed in 5.0 s',
    });
  });

  it.each<[JsonObject, string]>([
    [{}, 'pending'],
    [{ progress: { bytesDone: 1 } }, 'running'],
    [{ phase: 'Uploading' }, 'running'],
    [{ phase: 'Succeeded' }, 'completed'],
    [{ phase: 'FAILED' }, 'failed'],
    [{ phase: 'Canceled' }, 'canceled'],
    [{ phase: 'constructor' }, 'running'],
  ])('of a plugin with the status %j is %s', (status, state) => {
    expect(read('VolumePluginRestore', status).report.state).toBe(state);
  });

  it('that failed says why', () => {
    const { problems, errors, sentence } = read('DataUpload', { phase: 'Failed', message: 'no space left' });
    expect([problems[0]?.text, errors, sentence]).toEqual(['no space left', 1, 'Failed: no space left']);
  });

  it('whose bytes are more than their total has no percent', () => {
    const { report } = read('PodVolumeBackup', { phase: 'InProgress', progress: { bytesDone: 12, totalBytes: 10 } });
    expect(report.measures).toEqual([{ unit: 'bytes', done: 12, total: { kind: 'unknown' } }]);
    expect(report).not.toHaveProperty('percent');
  });
});

describe('a direct migration', () => {
  it('of volumes is the mean of its claims, those that wait too', () => {
    const claims = ['a', 'b', 'c'].map((name) => ({ namespace: 'shop', name }));
    const pod = (name: string, percent?: string): JsonObject => ({
      name: `rsync-${name}`,
      pvcRef: { namespace: 'shop', name },
      ...(percent === undefined ? {} : { lastObservedProgressPercent: percent }),
    });
    const status = { phase: 'RunRsyncOperations', successfulPods: [pod('a')], runningPods: [pod('b', '45%')] };
    const { report } = read('DirectVolumeMigration', status, { spec: { persistentVolumeClaims: claims } });
    expect(report).toMatchObject({ percent: 48, measures: [{ unit: 'items', done: 1, total: { value: 3 } }] });
    expect(read('DirectVolumeMigration', { phase: 'Prepare' }).report).not.toHaveProperty('percent');
  });

  it('of images counts each image stream once, in whichever list it is', () => {
    const streams = (...names: string[]): JsonObject[] => names.map((name) => ({ namespace: 'shop', name }));
    const status = { phase: 'x', newISs: streams('a', 'b', 'c'), successfulISs: streams('a'), failedISs: streams('b') };
    expect(read('DirectImageMigration', status).report).toMatchObject({ percent: 66 });
  });
});

describe('lines of progress', () => {
  it.each<[string[], number | undefined]>([
    [['6/9 items backed up'], 66],
    [['Backup velero/b: 6 out of estimated total of 9 objects backed up (41s)'], 66],
    [['Restore velero/r: 100 out of 140 objects restored (41s)'], 71],
    [['PodVolumeBackup velero/p: 12.30 MB out of 1.20 GB backed up (38s)'], 1],
    [['PodVolumeBackup v/p: 500 bytes out of 1.00 kB backed up', 'PodVolumeBackup v/q: 1.50 kB out of 3.00 kB'], 50],
    [['Backup v/b: 9 out of 9 objects', 'PodVolumeBackup v/p: 1.00 MB out of 4.00 MB backed up (1s)'], 25],
    [
      ['PodVolumeBackup v/p: 1.00 MB out of 4.00 MB', 'PodVolumeBackup v/q: Waiting for ongoing volume backup(s)'],
      undefined,
    ],
    [['[data] app/x: Running 45% (20s)', '[logs] app/y: Completed 100%'], 72.5],
    [['4 total volumes; 1 successful; 1 running; 0 failed', '[a] app/x: Completed 100%', '[b] app/y: Running 20%'], 30],
    [['2 total ImageStreams; 1 running; 1 successful; 0 failed'], 50],
    [['45%'], 45],
    [['Job a/b: Running'], undefined],
    [['340%'], undefined],
    [['9 out of 3 objects'], undefined],
    [[], undefined],
  ])('%j is %s', (lines, percent) => {
    expect(linesPercent(readLines(lines))).toBe(percent);
  });
});
