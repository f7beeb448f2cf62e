import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { NO_LOG } from '../../base/index.ts';
import { ADAPTERS } from '../../core/operations/index.ts';
import { watchKinds } from './caches.ts';

it('watches every operation where its objects are', async () => {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const { reflectors, kinds } = watchKinds(
    { velero: 'backups', migration: 'moves' },
    { kube: cluster, clock, log: NO_LOG, random: () => 0 },
  );
  const stop = new AbortController();
  for (const reflector of reflectors) void reflector.run(stop.signal);
  await clock.advance(0);
  const listed = new Map(
    cluster.calls.filter(({ verb }) => verb === 'list').map(({ target }) => [target.type.kind, target.namespace]),
  );
  stop.abort();
  const where = { velero: 'backups', migration: 'moves', all: undefined };
  for (const { type, scope } of ADAPTERS) {
    expect(kinds.some((kind) => kind.type.kind === type.kind)).toBe(true);
    expect([type.kind, listed.has(type.kind), listed.get(type.kind)]).toEqual([type.kind, true, where[scope]]);
  }
});
