import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../edge/kube/index.ts';
import { adapterFor, OperationTree, type Operation } from '../../core/operations/index.ts';
import { plainLine, treeLines } from './operation-tree.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

interface Sketch {
  kind: string;
  name: string;
  namespace: string;
  createdAgo: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  spec?: object;
  status: object;
}

/** As the tree of one or more clusters has them. */
function operationsOf(...sketches: (Sketch & { cluster?: string })[]): Operation[] {
  const tree = new OperationTree();
  for (const { cluster = 'a', kind, name, namespace, labels, annotations, createdAgo, spec = {}, status } of sketches) {
    const metadata = { name, namespace, uid: `uid-${name}`, labels, annotations, creationTimestamp: ago(createdAgo) };
    tree.put(adapterFor(kind), { apiVersion: '', kind, metadata, spec, status } as unknown as KubeObject, {
      cluster,
      now: NOW,
    });
  }
  return [...tree.entries()].map(({ operation }) => operation);
}

const step = (name: string, fields: object): object => ({ name, message: '', ...fields });
const migration: Sketch = {
  kind: 'MigMigration',
  name: 'shop-to-b',
  namespace: 'openshift-migration',
  createdAgo: 600,
  spec: { migPlanRef: { name: 'shop', namespace: 'openshift-migration' } },
  status: {
    phase: 'StageBackupCreated',
    itinerary: 'Final',
    startTimestamp: ago(600),
    progress: { percent: 54, lastProgressTime: ago(180) },
    pipeline: [
      step('Prepare', { started: ago(600), completed: ago(500) }),
      step('Backup', { started: ago(500), completed: ago(400) }),
      step('DataBackup', { started: ago(400), phase: 'StageBackupCreated' }),
      ...['DataRestore', 'Restore', 'Final'].map((name) => step(name, {})),
    ],
    conditions: [
      { type: 'Running', status: 'True', category: 'Advisory', reason: 'StageBackupCreated', message: 'Step: 18/33' },
      {
        type: 'Stalled',
        status: 'True',
        category: 'Warn',
        message: 'pod stage-7 is Pending, 0 of 3 nodes have enough memory; kubectl -n shop describe pod stage-7',
      },
    ],
  },
};
const labels = { migmigration: 'uid-shop-to-b' };
const initial: Sketch = {
  kind: 'Backup',
  name: 'shop-initial',
  namespace: 'velero',
  createdAgo: 500,
  labels,
  status: { phase: 'Completed', progress: { percent: 100, itemsBackedUp: 41, totalItems: 41 } },
};
const moving = {
  phase: 'InProgress',
  startTimestamp: ago(30),
  progress: {
    percent: 43,
    bytesDone: 2_040_109_465,
    totalBytes: 4_724_464_025,
    ratePerSecond: 92_274_688,
    etaSeconds: 29,
    lastProgressTime: ago(1),
  },
};
const data: Sketch = {
  kind: 'Backup',
  name: 'shop-data',
  namespace: 'velero',
  createdAgo: 400,
  labels,
  status: moving,
};
const volume: Sketch = {
  kind: 'VolumePluginBackup',
  name: 'shop-data-0a1b2c3d4e',
  namespace: 'velero',
  createdAgo: 390,
  spec: { volume: 'pgdata', backup: 'shop-data', plugin: 'headway.io/kopia' },
  status: moving,
};

describe('the tree of a migration', () => {
  it('is the picture: its backups below it, their volumes below these', () => {
    // Whatever comes first.
    const operations = operationsOf(volume, data, migration, initial);
    expect(treeLines(operations, { columns: 104, now: NOW }).join('\n')).toMatchInlineSnapshot(`
      "NAME                       STATE      PROGRESS                               RATE        LEFT
      ▲ migration/shop-to-b      stalled    ███████░░░░░░░  54 %  step 3 of 6      –           –
        │ 3 min without progress: pod stage-7 is Pending, 0 of 3 nodes have enough memory
        │ try: kubectl -n shop describe pod stage-7
        ├ ✓ backup/shop-initial  completed  ██████████████ 100 %  41 items         –           –
        └ ● backup/shop-data     running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s
            └ ● volume/pgdata    running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s"
    `);
  });

  it('is the same where its parts are on another cluster, which is told then', () => {
    const elsewhere = [initial, data, volume].map((sketch) => ({ ...sketch, cluster: 'b' }));
    // The same names on the cluster of the migration, with no migration of theirs.
    const alike = [data, volume].map((sketch) => ({ ...sketch, labels: {}, cluster: 'a' }));
    const operations = operationsOf(migration, ...elsewhere, ...alike);
    const lines = treeLines(operations, { columns: 124, now: NOW, where: { cluster: true } });
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "NAME                       CLUSTER  STATE      PROGRESS                               RATE        LEFT
      ▲ migration/shop-to-b      a        stalled    ███████░░░░░░░  54 %  step 3 of 6      –           –
        │ 3 min without progress: pod stage-7 is Pending, 0 of 3 nodes have enough memory
        │ try: kubectl -n shop describe pod stage-7
        ├ ✓ backup/shop-initial  b        completed  ██████████████ 100 %  41 items         –           –
        └ ● backup/shop-data     b        running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s
            └ ● volume/pgdata    b        running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s
      ● backup/shop-data         a        running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s
        │ 30 s elapsed
        └ ● volume/pgdata        a        running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s"
    `);
  });

  it('is one line for each of them in a log', () => {
    const lines = operationsOf(migration, data, volume).map((operation) =>
      plainLine(operation, NOW, { cluster: true, namespace: true }),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "▲ migration/shop-to-b  a  openshift-migration  stalled  54 %  step 3 of 6, DataBackup  3 min without progress: pod stage-7 is Pending, 0 of 3 nodes have enough memory  try: kubectl -n shop describe pod stage-7",
        "● backup/shop-data  a  velero  running  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s left",
        "● volume/pgdata (shop-data-0a1b2c3d4e)  a  velero  running  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s left",
      ]
    `);
  });
});

describe('what has very many parts', () => {
  const volumes = Array.from({ length: 5000 }, (_, at) => ({
    ...volume,
    name: `v-${String(at).padStart(4, '0')}`,
    spec: { ...volume.spec, volume: `claim-${String(at)}` },
    status:
      at === 4321
        ? { ...moving, conditions: [{ type: 'Stalled', status: 'True', message: 'no node' }] }
        : at < 4000
          ? { phase: 'Completed' }
          : { phase: 'New' },
  }));
  const operations = operationsOf(data, ...volumes);

  it('shows those that need attention, and counts the others', () => {
    const lines = treeLines(operations, { columns: 100, now: NOW });
    expect(lines.length).toBeLessThan(30);
    expect(lines.findIndex((line) => line.includes('volume/claim-4321'))).toBe(3);
    expect(lines.at(-1)).toBe('  └ … and 4 980 more: 980 pending, 4 000 completed');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100);
  });
});

describe('parts of what is described', () => {
  const part = (name: string, claim: string): Sketch => ({
    ...volume,
    name,
    labels: {},
    spec: { volume: `pvc-${name}`, backup: 'gone', plugin: 'kopia' },
    annotations: { 'headway.io/claim': claim },
  });
  const namesOf = (...sketches: Sketch[]): string[] =>
    treeLines(operationsOf(...sketches), { columns: 78, now: NOW, areParts: true })
      .filter((line) => line.startsWith('●'))
      .map((line) => line.split(/\s{2,}/)[0]!);

  it('are called by their claims, and by their namespaces where two claims have one name', () => {
    expect(namesOf(part('b-0a1b2c3d4e', 'shop/data'))).toEqual(['● volume/data']);
    expect(namesOf(part('b-1', 'shop/data'), part('b-2', 'mail/data'), part('b-3', 'mail/log'))).toEqual(
      expect.arrayContaining(['● volume/shop/data', '● volume/mail/data', '● volume/log']),
    );
  });
});
