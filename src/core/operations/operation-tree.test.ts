import { expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { adapterFor, OPERATION_SORTS, OperationTree, type MaySee } from './index.ts';

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
