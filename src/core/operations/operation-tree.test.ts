import { expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { adapterFor, OPERATION_SORTS, OperationTree, type MaySee } from './index.ts';
import { apiVersionOf } from '../../api/meta/resource-type.ts';
import { cpuTime } from '../../../test/cpu-time.ts';

const everything: MaySee = () => true;
const NOW = Date.parse('2026-01-01T00:10:00Z');

interface Shape {
  kind?: string;
  minute?: number;
}

function put(tree: OperationTree, name: string, status: JsonObject = {}, shape: Shape = {}): string {
  const { kind = 'Backup', minute = 0 } = shape;
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const object: KubeObject = {
    apiVersion: 'velero.io/v1',
    kind,
    metadata: { name, namespace: 'velero', creationTimestamp },
    status,
  };
  return tree.put(adapterFor(kind), object, { cluster: 'c', now: NOW }).operation.id;
}

const names = (tree: OperationTree, query: Parameters<OperationTree['page']>[0]): string[] =>
  tree.page(query, everything, { limit: 100, now: NOW }).operations.map(({ ref }) => ref.name);

it('shows first what needs attention, then what runs, then the newest', () => {
  const tree = new OperationTree();
  put(tree, 'old', { phase: 'Completed' }, { minute: 1 });
  put(tree, 'new', { phase: 'Failed' }, { kind: 'Restore', minute: 5 });
  put(tree, 'waits', { phase: 'Queued' });
  put(tree, 'runs', { phase: 'InProgress' });
  put(tree, 'stuck', { phase: 'InProgress', conditions: [{ type: 'Stalled', status: 'True', message: 'x; y' }] });
  expect(names(tree, {})).toEqual(['stuck', 'runs', 'waits', 'new', 'old']);
  expect(names(tree, { state: ['stalled'] })).toEqual(['stuck']);
  expect(names(tree, { kind: 'restore' })).toEqual(['new']);
  expect(names(tree, { q: 'RUN' })).toEqual(['runs']);
  expect(names(tree, { namespace: 'other' })).toEqual([]);
  expect(names(tree, { sort: '-name' })).toEqual(['waits', 'stuck', 'runs', 'old', 'new']);
  const { counts, total } = tree.page({}, everything, { limit: 1, now: NOW });
  expect({ ...counts, total }).toMatchObject({ running: 2, stalled: 1, pending: 1, completed: 1, failed: 1, total: 5 });
});

it('tells no speed when nothing has advanced while it would have been measured', () => {
  const tree = new OperationTree();
  const progress = { percent: 68, ratePerSecond: 812, etaSeconds: 1, lastProgressTime: '2026-01-01T00:09:55Z' };
  put(tree, 'alone', { phase: 'InProgress', progress });
  const reportIn = (seconds: number) =>
    tree.page({}, everything, { limit: 1, now: NOW + seconds * 1000 }).operations[0]?.report;
  expect(reportIn(0)).toMatchObject({ ratePerSecond: 812, etaSeconds: 1 });
  expect(reportIn(60)).toMatchObject({ percent: 68, state: 'running' });
  expect(reportIn(60)).not.toHaveProperty('ratePerSecond');
  expect(reportIn(60)).not.toHaveProperty('etaSeconds');
});

it('takes no token that was given for another order', () => {
  const tree = new OperationTree();
  put(tree, 'a');
  put(tree, 'b');
  const { continue: token } = tree.page({ sort: 'name' }, everything, { limit: 1, now: NOW });
  expect(() => tree.page({ sort: 'created' }, everything, { limit: 1, now: NOW, continue: token })).toThrow(
    'for this order',
  );
});

it('shows nobody what they may not see, neither in pages nor in counts', () => {
  const tree = new OperationTree();
  const id = put(tree, 'secret');
  put(tree, 'open');
  const maySee: MaySee = ({ ref }) => ref.name === 'open';
  expect(tree.page({}, maySee, { limit: 10, now: NOW })).toMatchObject({ total: 1, counts: { pending: 1 } });
  expect(tree.detail(id, NOW, maySee)).toBeUndefined();
});

it('pages through everything once, in every order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z][a-z0-9.]{0,5}$/), fc.nat(5)), { selector: ([name]) => name }),
      fc.constantFrom(...OPERATION_SORTS),
      fc.integer({ min: 1, max: 4 }),
      (objects, sort, limit) => {
        const tree = new OperationTree();
        for (const [name, minute] of objects) put(tree, name, { phase: minute > 2 ? 'Completed' : 'New' }, { minute });
        const seen: string[] = [];
        let next: string | undefined;
        do {
          const page = tree.page({ sort }, everything, { limit, now: NOW, continue: next });
          seen.push(...page.operations.map(({ ref }) => ref.name));
          next = page.continue;
        } while (next !== undefined);
        expect(seen.toSorted()).toEqual(objects.map(([name]) => name).toSorted());
      },
    ),
    { numRuns: 100 },
  );
});

it('tells what changed since a version, each operation once with its newest state', () => {
  const tree = new OperationTree();
  put(tree, 'a');
  const gone = put(tree, 'b');
  const then = tree.version;
  put(tree, 'c');
  put(tree, 'a', { phase: 'InProgress' });
  put(tree, 'a', { phase: 'Completed' });
  tree.delete(gone);
  const changes = tree.since(then);
  expect(changes?.changed.map(({ operation }) => [operation.ref.name, operation.phase])).toEqual([
    ['c', 'New'],
    ['a', 'Completed'],
  ]);
  expect(changes?.removed.map(({ operation }) => operation.id)).toEqual([gone]);
  expect(tree.since(tree.version)).toEqual({ changed: [], removed: [] });
  expect(tree.since(tree.version + 1)).toBeUndefined();
});

it('does not know any more what was removed long ago, and says so', () => {
  const tree = new OperationTree();
  for (let at = 0; at < 10_001; at += 1) tree.delete(put(tree, `b${String(at)}`));
  expect(tree.since(1)).toBeUndefined();
  expect(tree.since(tree.version - 100)?.removed.length).toBeGreaterThan(0);
});

it('refuses a continue token that it did not give', () => {
  const page = (token: string) => () => new OperationTree().page({}, everything, { limit: 1, now: 0, continue: token });
  expect(page('{')).toThrow(/continue token/);
  expect(page('{"a":1}')).toThrow(/continue token/);
});

it('goes on counting the seconds of a stall that nobody writes any more', () => {
  const tree = new OperationTree();
  const id = put(tree, 'stuck', {
    phase: 'InProgress',
    progress: { lastProgressTime: '2026-01-01T00:05:00Z' },
    conditions: [{ type: 'Stalled', status: 'True', message: 'x; y' }],
  });
  expect(tree.detail(id, NOW + 60_000, everything)?.report.stalled?.sinceSeconds).toBe(360);
  const [row] = tree.page({}, everything, { limit: 1, now: NOW + 60_000 }).operations;
  expect(row?.report.stalled?.sinceSeconds).toBe(360);
});

interface Placed {
  cluster?: string;
  namespace?: string;
  uid?: string;
  labels?: JsonObject;
  spec?: JsonObject;
  status?: JsonObject;
}

function place(tree: OperationTree, kind: string, name: string, fields: Placed = {}): string {
  const adapter = adapterFor(kind);
  const { cluster = 'a', namespace = 'velero', uid = `uid-${name}`, labels = {}, spec = {}, status = {} } = fields;
  const metadata = { name, namespace, uid, labels, creationTimestamp: '2026-01-01T00:00:00Z' };
  const object = { apiVersion: apiVersionOf(adapter.type), kind, metadata, spec, status } as unknown as KubeObject;
  return tree.put(adapter, object, { cluster, now: NOW }).operation.id;
}

it('hangs the parts of a migration below it, over clusters, and their volumes below these', () => {
  const tree = new OperationTree();
  const backup = place(tree, 'Backup', 'shop-data', { cluster: 'source', labels: { migmigration: 'uid-shop-to-b' } });
  const volume = place(tree, 'PodVolumeBackup', 'x', {
    cluster: 'source',
    labels: { 'velero.io/backup-name': 'shop-data' },
  });
  const then = tree.version;
  const migration = place(tree, 'MigMigration', 'shop-to-b', { cluster: 'host', namespace: 'openshift-migration' });
  expect([backup, volume].map((id) => tree.get(id)?.operation.parent)).toEqual([migration, backup]);
  // Whoever reads along hears that the backup has a parent now.
  expect(tree.since(then)?.changed.map(({ operation }) => operation.id)).toEqual([migration, backup]);
  expect(tree.detail(migration, NOW, everything)?.parts.map(({ id }) => id)).toEqual([backup, volume]);
  expect(tree.page({ parent: 'none' }, everything, { limit: 10, now: NOW }).operations.map(({ id }) => id)).toEqual([
    migration,
  ]);
  expect(tree.page({ parent: backup }, everything, { limit: 10, now: NOW }).operations.map(({ id }) => id)).toEqual([
    volume,
  ]);
  tree.delete(migration);
  expect(tree.get(backup)?.operation).not.toHaveProperty('parent');
});

it('keeps clusters with the same names apart', () => {
  const tree = new OperationTree();
  for (const cluster of ['a', 'b']) {
    place(tree, 'Backup', 'nightly', { cluster, uid: `uid-${cluster}` });
    place(tree, 'VolumePluginBackup', 'v', { cluster, uid: `v-${cluster}`, spec: { backup: 'nightly' } });
  }
  const parents = [...tree.entries()].map(({ operation }) => [operation.id, operation.parent]);
  expect(parents).toEqual([
    ['a.backup.velero.nightly', undefined],
    ['a.volumepluginbackup.velero.v', 'a.backup.velero.nightly'],
    ['b.backup.velero.nightly', undefined],
    ['b.volumepluginbackup.velero.v', 'b.backup.velero.nightly'],
  ]);
});

it('tells nobody of a parent that they may not see: the part is at the top for them', () => {
  const tree = new OperationTree();
  const migration = place(tree, 'MigMigration', 'secret-merger', { namespace: 'openshift-migration' });
  const backup = place(tree, 'Backup', 'b', { labels: { migmigration: 'uid-secret-merger' } });
  const maySee: MaySee = ({ ref }) => ref.kind === 'Backup';
  expect(tree.get(backup)?.operation.parent).toBe(migration);
  const page = tree.page({ parent: 'none' }, maySee, { limit: 10, now: NOW });
  expect(page.operations.map(({ id }) => id)).toEqual([backup]);
  expect(JSON.stringify([page, tree.detail(backup, NOW, maySee)?.parent])).not.toContain('merger');
});

it('lists a bounded number of 5 000 volumes below one backup, what needs attention first, and counts all', () => {
  const tree = new OperationTree();
  for (let at = 0; at < 5000; at += 1) {
    const phases: Readonly<Record<number, string>> = { 1: 'Failed', 4000: 'New', 4321: 'InProgress' };
    const status = { phase: phases[at] ?? 'Completed' };
    place(tree, 'VolumePluginBackup', `v${String(at)}`, { spec: { backup: 'huge' }, status });
  }
  const placed = cpuTime(() => place(tree, 'Backup', 'huge', { status: { phase: 'InProgress' } }));
  const id = placed.result;
  const { result: detail, ms } = cpuTime(() => tree.detail(id, NOW, everything));
  expect(placed.ms + ms).toBeLessThan(2000);
  expect(detail?.parts).toHaveLength(200);
  // One that failed does not hide behind thousands that wait or went well.
  expect(detail?.parts.slice(0, 3).map(({ ref }) => ref.name)).toEqual(['v4321', 'v1', 'v4000']);
  expect(detail?.partCounts).toMatchObject({ running: 1, failed: 1, pending: 1, completed: 4997 });
  expect(tree.page({ volumes: 'top' }, everything, { limit: 10, now: NOW })).toMatchObject({ total: 1 });
  let next: string | undefined;
  let seen = 0;
  do {
    const page = tree.page({ parent: id }, everything, { limit: 1000, now: NOW, continue: next });
    seen += page.operations.length;
    next = page.continue;
  } while (next !== undefined);
  expect(seen).toBe(5000);
});

it('counts a volume once that Headway wrote down a second time for Velero to read', () => {
  const tree = new OperationTree();
  const volume = (kind: string, name: string, backup: string): void => {
    const metadata = { name, namespace: 'velero', labels: { 'velero.io/backup-name': backup } };
    const object: KubeObject = { apiVersion: 'velero.io/v1', kind, metadata, status: { phase: 'InProgress' } };
    tree.put(adapterFor(kind), { ...object, spec: { backup } }, { cluster: 'c', now: NOW });
  };
  const id = put(tree, 'b', { phase: 'InProgress' });
  put(tree, 'other', { phase: 'InProgress' });
  volume('VolumePluginBackup', 'b-1', 'b');
  volume('PodVolumeBackup', 'b-1', 'b');
  volume('PodVolumeBackup', 'b-2', 'b');
  // Of another backup, so that it is another volume.
  volume('VolumePluginBackup', 'b-2', 'other');
  const kinds = (maySee: MaySee) => tree.detail(id, NOW, maySee)?.parts.map(({ ref }) => `${ref.kind} ${ref.name}`);
  expect(kinds(everything)?.toSorted()).toEqual(['PodVolumeBackup b-2', 'VolumePluginBackup b-1']);
  expect(tree.detail(id, NOW, everything)?.partCounts.running).toBe(2);
  expect(tree.page({ parent: id }, everything, { limit: 10, now: NOW }).total).toBe(2);
  // Who may not see the one is shown the other.
  expect(kinds(({ ref }) => ref.kind !== 'VolumePluginBackup')?.toSorted()).toEqual([
    'PodVolumeBackup b-1',
    'PodVolumeBackup b-2',
  ]);
});

it('never shows less of a running operation than it has shown, whoever writes its status', () => {
  const tree = new OperationTree();
  const seen = (percentCompleted: string, state = 'running', uid = 'one'): number | undefined => {
    const status = { state, progress: { percentCompleted }, actions: [{ phases: [{ name: 'p', state: 'running' }] }] };
    return tree.get(place(tree, 'ActionSet', 'set', { uid, status }))?.operation.report.percent;
  };
  expect(['', '43.33', '40', '', '44'].map((percent) => seen(percent))).toEqual([undefined, 43, 43, 43, 44]);
  const { report } = [...tree.entries()][0]!.operation;
  expect(report.exactPercent).toBe(44);
  expect(seen('20', 'failed')).toBe(20);
  // Another object of the same name has shown nothing yet.
  expect(seen('5', 'running', 'two')).toBe(5);
});
