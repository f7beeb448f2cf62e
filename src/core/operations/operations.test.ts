import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { adapterFor, dataGap, formatOperationId, parseOperationId, readDetail, readOperation } from './index.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');

function object(kind: string, name: string, fields: JsonObject): KubeObject {
  const metadata = { name, namespace: 'velero', uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'velero.io/v1', kind, metadata, ...fields };
}
const backup = (status: JsonObject, spec: JsonObject = {}): KubeObject => object('Backup', 'b.1', { spec, status });
const restore = (status: JsonObject, spec: JsonObject = {}): KubeObject => object('Restore', 'r1', { spec, status });
const read = (each: KubeObject) => readOperation(adapterFor(each.kind), each, { cluster: 'prod', now: NOW });

describe('an id', () => {
  it.each([
    { cluster: 'prod', kind: 'backup', namespace: 'velero', name: 'nightly.2026' },
    { cluster: 'arn:aws:eks/a.b%2E', kind: 'restore', namespace: 'a', name: 'x' },
    { cluster: 'c', kind: 'backup', namespace: '', name: 'cluster-wide' },
  ])('$cluster/$name reads back as it was written', (name) => {
    expect(parseOperationId(formatOperationId(name))).toEqual(name);
  });

  it.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.', '.b.c.d'])('%j is none', (id) => {
    expect(() => parseOperationId(id)).toThrow(/CLUSTER.KIND.NAMESPACE.NAME/);
  });
});

describe('the state of an operation', () => {
  it.each([
    [{}, 'pending'],
    [{ phase: 'Queued' }, 'pending'],
    [{ phase: 'InProgress' }, 'running'],
    [{ phase: 'FinalizingPartiallyFailed' }, 'running'],
    [{ phase: 'Completed' }, 'completed'],
    [{ phase: 'PartiallyFailed' }, 'partiallyFailed'],
    [{ phase: 'FailedValidation' }, 'failed'],
    [{ phase: 'Failed' }, 'failed'],
    [{ phase: 'Failed', failureReason: 'canceled' }, 'canceled'],
    [{ phase: 'Failed', conditions: [{ type: 'Canceled', status: 'True' }] }, 'canceled'],
    [{ phase: 'Deleting' }, 'completed'],
    [{ phase: 'Deleting', errors: 3 }, 'partiallyFailed'],
    [{ phase: 'SomethingNew' }, 'running'],
    [{ phase: 7 }, 'pending'],
  ] as [JsonObject, string][])('%j is %s', (status, state) => {
    expect(read(backup(status)).report.state).toBe(state);
  });
});

it('reads a running backup, with its stall told in seconds of now', () => {
  const operation = read(
    backup(
      {
        phase: 'InProgress',
        startTimestamp: '2026-01-01T00:00:01Z',
        progress: {
          itemsBackedUp: 40,
          totalItems: 100,
          percent: 40,
          stage: 'archiving',
          lastProgressTime: '2026-01-01T00:05:00Z',
        },
        conditions: [{ type: 'Stalled', status: 'True', message: 'store unreachable; it goes on by itself' }],
      },
      { storageLocation: 'default', includedNamespaces: ['shop'] },
    ),
  );
  expect(operation).toMatchObject({
    id: 'prod.backup.velero.b.1',
    phase: 'InProgress',
    facts: { location: 'default', namespaces: ['shop'] },
    report: {
      percent: 40,
      stage: 'archiving',
      measures: [{ unit: 'items', done: 40, total: { kind: 'estimate', value: 100 } }],
      stalled: { sinceSeconds: 300, cause: 'store unreachable', hint: 'it goes on by itself' },
    },
  });
  expect(operation.sentence).toBeUndefined();
});

it('has no estimates once it has gone through everything', () => {
  const status = {
    phase: 'PartiallyFailed',
    progress: { itemsBackedUp: 0, totalItems: 0, bytesDone: 111, totalBytes: 111 },
  };
  expect(read(backup(status)).report.measures.map(({ total }) => total.kind)).toEqual(['exact', 'exact']);
});

const ENDED = { startTimestamp: '2026-01-01T00:00:00Z', completionTimestamp: '2026-01-01T00:00:03Z' };
const progress = (fields: JsonObject): JsonObject => ({ progress: { totalItems: 2431, ...fields } });

describe('the closing sentence', () => {
  it.each([
    [
      restore({ phase: 'Completed', ...ENDED, ...progress({ itemsRestored: 2431, skipped: 2429 }) }),
      'Restored 2 of 2 431 items in 3.0 s; 2 429 skipped',
    ],
    [restore({ phase: 'Completed', ...ENDED, ...progress({ itemsRestored: 2431 }) }), 'Restored 2 431 items in 3.0 s'],
    [
      restore({
        phase: 'PartiallyFailed',
        ...ENDED,
        stages: [
          { stage: 'downloading', startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z' },
          { stage: 'restoring', startedAt: '2026-01-01T00:00:01.000Z', endedAt: '2026-01-01T00:00:03.120Z' },
        ],
        itemsByKind: [
          { kind: 'Service', failed: 12 },
          { kind: 'Pod', created: 3 },
        ],
        ...progress({ itemsRestored: 2431, failed: 12 }),
      }),
      'Restored 2 419 of 2 431 items in 3.1 s; 12 Services failed',
    ],
    [
      backup({ phase: 'Completed', ...ENDED, ...progress({ itemsBackedUp: 2431, bytesDone: 1_258_291 }) }),
      'Backed up 2 431 items (1.2 MiB) in 3.0 s',
    ],
    [
      backup({
        phase: 'Completed',
        ...ENDED,
        archive: { bytes: 4096 },
        ...progress({ itemsBackedUp: 2431, bytesDone: 1_258_291, totalBytes: 1_258_291 }),
      }),
      'Backed up 2 431 items (4.0 KiB) and 1.2 MiB in volumes in 3.0 s',
    ],
    [
      backup({ phase: 'PartiallyFailed', errors: 1, ...ENDED, ...progress({ totalItems: 0, itemsBackedUp: 0 }) }),
      'Backed up 0 items in 3.0 s; 1 error',
    ],
    [
      backup({ phase: 'Failed', ...ENDED, failureReason: 'the bucket is gone' }),
      'Failed after 3.0 s: the bucket is gone',
    ],
    [
      backup({ phase: 'FailedValidation', validationErrors: ['no such location "x"', 'ttl is negative'] }),
      'Refused: no such location "x"; ttl is negative',
    ],
    [
      restore({ phase: 'Failed', ...ENDED, failureReason: 'canceled', ...progress({ itemsRestored: 1200 }) }),
      'Canceled after 3.0 s; restored 1 200 of 2 431 items',
    ],
  ])('%#: %s', (each, sentence) => {
    expect(read(each).sentence).toBe(sentence);
  });
});

it('reads stages and kinds, and passes over what is no stage', () => {
  const each = restore({
    stages: [{ stage: 'restoring', startedAt: '2026-01-01T00:00:00Z' }, { stage: 'dancing', startedAt: 'x' }, 7],
    itemsByKind: [{ kind: 'Pod', created: 2, total: 4 }, { created: 1 }],
  });
  (each.metadata as JsonObject)['managedFields'] = [{}];
  const detail = readDetail(adapterFor('restore'), each, { cluster: 'c', now: NOW });
  expect(detail.stages).toEqual([{ stage: 'restoring', startedAt: '2026-01-01T00:00:00Z' }]);
  expect(detail.itemsByKind).toEqual([{ kind: 'Pod', created: 2, total: 4 }]);
  expect(detail.object).not.toHaveProperty('metadata.managedFields');
});

it('says which kinds there are', () => {
  expect(() => adapterFor('pod')).toThrow(/Backup, Restore/);
});

describe('claims whose data is not in the backup', () => {
  const missing = (reason: string): JsonObject => ({
    type: 'VolumeDataMissing',
    status: 'True',
    reason,
    message: 'the data of 1800 claims is not in the backup: shop/data, shop/cache and 1798 more, named in the results',
  });

  it('are a fact of a backup, and one warning more than Velero counts', () => {
    const { facts, warnings } = read(
      backup({ phase: 'Completed', warnings: 2, conditions: [missing('VolumesNotCopied')] }),
    );
    expect(dataGap(facts)).toBe('without volume data (1 800)');
    expect(warnings).toBe(3);
  });

  it('are warnings of a restore already, because its results name them one by one', () => {
    const { facts, warnings } = read(
      restore({ phase: 'Completed', warnings: 1800, conditions: [missing('NotInBackup')] }),
    );
    expect(facts.claimsWithoutData).toBe(1800);
    expect(warnings).toBe(1800);
  });

  it('are none where the condition no longer holds', () => {
    const { facts, warnings } = read(
      backup({ phase: 'Completed', conditions: [{ ...missing('VolumesNotCopied'), status: 'False' }] }),
    );
    expect(dataGap(facts)).toBeUndefined();
    expect(warnings).toBe(0);
  });
});

it('shows no percent of an operation that ended with nothing achieved', () => {
  const progress = { percent: 99, itemsRestored: 1663, totalItems: 1663, created: 0, failed: 1663 };
  expect(read(restore({ phase: 'PartiallyFailed', progress })).report.percent).toBeUndefined();
  expect(
    read(restore({ phase: 'PartiallyFailed', progress: { percent: 99, itemsRestored: 0, totalItems: 0 } })).report,
  ).not.toHaveProperty('percent');
  const some = { percent: 99, itemsRestored: 1663, totalItems: 1663, created: 1, failed: 1662 };
  expect(read(restore({ phase: 'PartiallyFailed', progress: some })).report.percent).toBe(99);
});
