import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import {
  adapterFor,
  OperationTree,
  type MaySee,
  type OperationDetail,
  type OperationQuery,
} from '../../core/operations/index.ts';
import type { Piece } from './event-text.ts';
import { View, type ViewQuery } from './view.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function put(
  tree: OperationTree,
  kind: string,
  name: string,
  fields: { spec?: JsonObject; status?: JsonObject } = {},
): void {
  const { spec = {}, status = {} } = fields;
  const object = { apiVersion: 'velero.io/v1', kind, metadata: { name, namespace: 'velero', uid: name }, spec, status };
  tree.put(adapterFor(kind), object, { cluster: 'c', now: NOW });
}

interface Told {
  event: string;
  data: { id: string; operations?: { id: string }[] };
}

function events(piece: Piece | 'unknown' | undefined): Told[] {
  if (piece === undefined || piece === 'unknown') return [];
  const blocks = piece.plain
    .toString('utf8')
    .split('\n\n')
    .filter((block) => block !== '');
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (\w+)\n(?:id: .*\n)?data: (.*)$/m.exec(block) ?? [];
    return { event, data: JSON.parse(data) as Told['data'] };
  });
}

const view = (tree: OperationTree, query: Partial<ViewQuery>, maySee: MaySee = () => true): View =>
  new View(tree, { query: { limit: 1000, ...query }, maySee, epoch: 'e' });

it('brings a reader to what its filter matches, whatever changes its state or its parent', () => {
  const name = fc.constantFrom('a', 'b');
  const change = fc.oneof(
    fc.record({ kind: fc.constant('Backup'), name, phase: fc.constantFrom('New', 'InProgress', 'Completed') }),
    fc.record({ kind: fc.constant('VolumePluginBackup'), name, phase: fc.constantFrom('InProgress', 'Failed') }),
    fc.record({ kind: fc.constantFrom('Backup', 'VolumePluginBackup'), name, phase: fc.constant('gone') }),
    fc.constant('look' as const),
  );
  const query = fc.constantFrom<OperationQuery>(
    {},
    { state: ['running'] },
    { parent: 'none' },
    { volumes: 'top' },
    { parent: 'c.backup.velero.a' },
    { noun: 'volume', state: ['running'] },
  );
  // Also for somebody who may not see any parent.
  const sight = fc.constantFrom<MaySee>(
    () => true,
    ({ noun }) => noun === 'volume',
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), query, sight, (changes, asked, maySee) => {
      const tree = new OperationTree();
      const watched = view(tree, asked, maySee);
      const seen = new Set<string>();
      const first = watched.snapshot(NOW);
      let version = first.version;
      for (const each of [...changes, 'look' as const]) {
        if (each !== 'look') {
          const { kind, name: which, phase } = each;
          if (phase === 'gone') tree.delete(`c.${kind.toLowerCase()}.velero.${which}`);
          else put(tree, kind, which, { spec: { backup: which }, status: { phase } });
          continue;
        }
        for (const { event, data } of events(watched.since(version, NOW))) {
          if (event === 'operation') seen.add(data.id);
          else seen.delete(data.id);
        }
        version = tree.version;
        const truth = tree.page(asked, maySee, { limit: 1000, now: NOW }).operations.map(({ id }) => id);
        expect([...seen].toSorted()).toEqual(truth.toSorted());
      }
    }),
    { numRuns: 500 },
  );
});

it('says nothing of what does not match and did not match before', () => {
  const tree = new OperationTree();
  put(tree, 'Backup', 'a');
  put(tree, 'VolumePluginBackup', 'v', { spec: { backup: 'a' } });
  const { version } = tree;
  put(tree, 'VolumePluginBackup', 'v', { spec: { backup: 'a' }, status: { progress: { bytesDone: 1 } } });
  const then = tree.version;
  put(tree, 'VolumePluginBackup', 'v', { spec: { backup: 'a' }, status: { progress: { bytesDone: 2 } } });
  const top = view(tree, { parent: 'none' });
  expect(events(top.since(then, NOW))).toEqual([]);
  // It has begun since, so that another filter may have matched it before.
  expect(events(top.since(version, NOW)).map(({ event }) => event)).toEqual(['removed']);
});

describe('one operation in all detail', () => {
  const id = 'c.backup.velero.a';

  it('is told once, however many of its parts changed or went', () => {
    const tree = new OperationTree();
    put(tree, 'Backup', 'a');
    put(tree, 'Backup', 'b');
    const one = view(tree, { operation: id });
    let { version } = tree;
    for (let at = 0; at < 10; at += 1) put(tree, 'VolumePluginBackup', `v${String(at)}`, { spec: { backup: 'a' } });
    const [told, ...others] = events(one.since(version, NOW));
    expect([told?.event, (told?.data as unknown as OperationDetail).parts.length, others]).toEqual([
      'operation',
      10,
      [],
    ]);
    version = tree.version;
    tree.delete('c.volumepluginbackup.velero.v3');
    expect((events(one.since(version, NOW))[0]?.data as unknown as OperationDetail).parts).toHaveLength(9);
    version = tree.version;
    put(tree, 'Backup', 'b', { status: { phase: 'InProgress' } });
    expect(one.since(version, NOW)).toBeUndefined();
    tree.delete(id);
    expect(events(one.since(version, NOW)).map(({ event }) => event)).toEqual(['removed']);
  });

  it('is not told to somebody who may not see it, nor of parts that they may not see', () => {
    const tree = new OperationTree();
    put(tree, 'Backup', 'a');
    const { version } = tree;
    put(tree, 'VolumePluginBackup', 'v', { spec: { backup: 'a' } });
    const parts = view(tree, { operation: id }, ({ noun }) => noun === 'volume');
    const whole = view(tree, { operation: id }, ({ noun }) => noun === 'backup');
    expect([events(parts.since(version, NOW)), whole.since(version, NOW)]).toEqual([[], undefined]);
    expect(events(parts.snapshot(NOW).piece)[0]?.data.operations).toEqual([]);
  });
});
