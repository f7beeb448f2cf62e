import { expect, it } from 'vitest';
import type { KubeObject } from '../../edge/kube/index.ts';
import { adapterFor, groupProblems, readDetail } from '../../core/operations/index.ts';
import { operationLines, problemLines } from './operation-text.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

function describeLines(kind: string, status: object, spec: object): string[] {
  const metadata = { name: 'orders-copy', namespace: 'velero', creationTimestamp: '2026-01-01T11:40:00Z' };
  const object = { apiVersion: 'velero.io/v1', kind, metadata, spec, status } as unknown as KubeObject;
  const detail = readDetail(adapterFor(kind), object, { cluster: 'c', now: NOW });
  return operationLines(detail, { now: NOW, columns: 80 });
}

it('tells a restore that failed in part, each thing once', () => {
  const status = {
    phase: 'PartiallyFailed',
    startTimestamp: '2026-01-01T11:40:01Z',
    completionTimestamp: '2026-01-01T11:40:04Z',
    errors: 12,
    warnings: 1,
    progress: {
      percent: 99,
      itemsRestored: 2431,
      totalItems: 2431,
      created: 2400,
      updated: 0,
      skipped: 19,
      failed: 12,
    },
    stages: [
      { stage: 'downloading', startedAt: '2026-01-01T11:40:01.000Z', endedAt: '2026-01-01T11:40:01.200Z' },
      { stage: 'restoring', startedAt: '2026-01-01T11:40:01.200Z', endedAt: '2026-01-01T11:40:04.100Z' },
    ],
    itemsByKind: [
      { kind: 'ConfigMap', total: 2000, created: 1981, updated: 0, skipped: 19, failed: 0 },
      { kind: 'Service', total: 431, created: 419, updated: 0, skipped: 0, failed: 12 },
    ],
    conditions: [
      {
        type: 'VolumeDataMissing',
        status: 'True',
        reason: 'NotInBackup',
        message: 'the data of 1 claim is not in the backup: shop/data',
      },
    ],
  };
  const spec = { backupName: 'nightly-14', namespaceMapping: { orders: 'orders-copy' } };
  expect(describeLines('Restore', status, spec).join('\n')).toMatchInlineSnapshot(`
    "▲ restore/orders-copy  partially failed, without volume data (1)
      Restored 2 400 of 2 431 items in 3.1 s; 19 skipped; 12 Services failed; the data of 1 claim is not in the backup

    Phase      PartiallyFailed
    Backup     nightly-14
    Namespaces all
    Mapping    orders → orders-copy
    Items      2 400 created, 0 updated, 19 skipped, 12 failed
    Created    2026-01-01 11:40:00 UTC (20 min ago)
    Started    2026-01-01 11:40:01 UTC (20 min ago)
    Ended      2026-01-01 11:40:04 UTC (20 min ago)
    Stages     downloading 0.2 s · restoring 3 s
    Errors     12, warnings 1

    Problems
      ▲ the data of 1 claim is not in the backup: shop/data

    Contents
      KIND        TOTAL   CREATED   UPDATED   SKIPPED   FAILED
      ConfigMap   2 000   1 981     0         19        0
      Service     431     419       0         0         12"
  `);
});

it('marks a backup without the data of its claims, and counts that as a warning of its own', () => {
  const status = {
    phase: 'Completed',
    progress: { percent: 100, itemsBackedUp: 2431, totalItems: 2431 },
    conditions: [
      {
        type: 'VolumeDataMissing',
        status: 'True',
        reason: 'VolumesNotCopied',
        message: 'the data of 18 claims is not in the backup: shop/data, …',
      },
    ],
  };
  const lines = describeLines('Backup', status, {});
  expect(lines[0]).toBe('▲ backup/orders-copy  completed, without volume data (18)');
  expect(lines).toContain('Errors     0, warnings 1');
});

it('tells a backup that runs, with what it does now', () => {
  const status = {
    phase: 'InProgress',
    startTimestamp: '2026-01-01T11:59:00Z',
    progress: { percent: 68, itemsBackedUp: 1653, totalItems: 2431, stage: 'archiving', current: 'shop/pods/web-0' },
    stages: [{ stage: 'archiving', startedAt: '2026-01-01T11:59:30Z' }],
  };
  const spec = { storageLocation: 'default', includedNamespaces: ['shop', 'billing'] };
  expect(describeLines('Backup', status, spec).join('\n')).toMatchInlineSnapshot(`
    "● backup/orders-copy  running
      archiving  █████████████░░░░░░░   68 %  1 653 of ~2 431
      now        shop/pods/web-0

    Phase      InProgress
    Location   default
    Namespaces shop, billing
    Created    2026-01-01 11:40:00 UTC (20 min ago)
    Started    2026-01-01 11:59:00 UTC (1 min ago)
    Stages     archiving 30 s so far
    Errors     0, warnings 0"
  `);
});

it('fits problems into the width, and says of equal ones only where they differ', () => {
  const claims = [
    'billing/data-database-0',
    'billing/data-database-1',
    'billing/uploads',
    'mail/data',
    'mail/uploads',
    'shop/data',
  ];
  const why = 'its data is not in the backup: this version of Headway does not copy the data of volumes';
  const problems = groupProblems(
    claims.map((claim) => ({ level: 'warning', text: `persistentvolumeclaims ${claim}: ${why}` })),
  );
  expect(problemLines(problems, 80)).toEqual([
    '',
    'Problems',
    '  ▲ persistentvolumeclaims (6): its data is not in the backup: this version of',
    '    Headway does not copy the data of volumes',
    '      billing/data-database-0, billing/data-database-1, billing/uploads,',
    '      mail/data, mail/uploads, … and 1 more',
  ]);
});

it('tells of a restore what its volumes were in the backup, and where that was', () => {
  const annotations = {
    'headway.io/claim': 'copy/data',
    'headway.io/backed-up-claim': 'shop/data',
    'headway.io/backed-up-bytes': '5347738',
    'headway.io/backed-up-at': '2026-01-01T11:00:00Z',
  };
  const metadata = { name: 'r-1', namespace: 'velero', creationTimestamp: '2026-01-01T11:40:00Z' };
  const read = (kind: string, more: object) =>
    readDetail(
      adapterFor(kind),
      { apiVersion: 'velero.io/v1', kind, metadata, status: { phase: 'Completed' }, ...more },
      { cluster: 'c', now: NOW },
    );
  const volume = read('VolumePluginRestore', { metadata: { ...metadata, annotations }, spec: { plugin: 'kopia' } });
  expect(operationLines(volume, { now: NOW, columns: 80 })).toContain(
    'Backed up  shop/data, 5.1 MiB, 2026-01-01 11:00:00 UTC (1 h 0 min ago)',
  );
  const restore = { ...read('Restore', { spec: { backupName: 'b' } }), parts: [volume] };
  expect(operationLines(restore, { now: NOW, columns: 80 }).slice(-3)).toEqual([
    'Backed up',
    '  CLAIM       PLUGIN   SIZE      TIME',
    '  shop/data   kopia    5.1 MiB   2026-01-01 11:00:00 UTC (1 h 0 min ago)',
  ]);
});

it('says of a backup what it holds: items, its archive and its volumes', () => {
  const status = {
    phase: 'Completed',
    archive: { bytes: 217_088 },
    progress: { percent: 100, itemsBackedUp: 12, totalItems: 12, bytesDone: 150_000_000, totalBytes: 150_000_000 },
    itemsByKind: [{ kind: 'ConfigMap', total: 12, created: 12 }],
  };
  const lines = describeLines('Backup', status, {});
  expect(lines[1]).toBe('  Backed up 12 items (212 KiB) and 143 MiB in volumes');
  expect(lines).toContain('Size       212 KiB, 143 MiB in volumes');
  expect(lines.slice(-2)).toEqual(['  KIND        TOTAL   BACKED UP   FAILED', '  ConfigMap   12      12          0']);
});

it('ends no line inside of a number with its unit', () => {
  const seconds = { discovering: 0, downloading: 0.1, checking: 0, collecting: 0, restoring: 15, volumes: 25 };
  const from = Date.UTC(2026, 0, 1, 11);
  const stages = Object.entries({ ...seconds, finalizing: 0.3 }).map(([stage, took]) => ({
    ...{ stage, startedAt: new Date(from).toISOString(), endedAt: new Date(from + took * 1000).toISOString() },
  }));
  const lines = describeLines('Restore', { phase: 'Completed', stages }, { backupName: 'b' });
  const at = lines.findIndex((line) => line.startsWith('Stages'));
  expect(lines.slice(at, at + 3)).toEqual([
    'Stages     discovering < 0.1 s · downloading 0.1 s · checking < 0.1 s ·',
    '           collecting < 0.1 s · restoring 15 s · volumes 25 s · finalizing',
    '           0.3 s',
  ]);
});
