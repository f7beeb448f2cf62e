import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import type { JsonObject } from '../../base/index.ts';
import { adapterFor } from '../../core/operations/index.ts';
import { Metrics } from '../metrics.ts';
import type { ClusterPort, ObjectChange } from '../ports.ts';
import { OperationFeed } from './operation-feed.ts';

/** A cluster whose objects the test puts there. */
function setUp() {
  const listeners = new Map<string, (change: ObjectChange) => void>();
  const port = {
    name: 'prod',
    source: ({ kind }: { kind: string }) => ({
      values: () => [],
      subscribe: (listener: (change: ObjectChange) => void) => {
        listeners.set(kind, listener);
        return () => listeners.delete(kind);
      },
    }),
  } as unknown as ClusterPort;
  const metrics = new Metrics();
  const clock = new FakeClock();
  const feed = new OperationFeed({ clusters: [port], clock, metrics });
  feed.start();
  const tell = (
    type: ObjectChange['type'],
    kind: string,
    fields: { name?: string; namespace?: string; spec?: JsonObject; status?: JsonObject },
  ) => {
    const { name = 'x', namespace = 'shop', spec = {}, status = {} } = fields;
    const object = { apiVersion: 'v1', kind, metadata: { name, namespace, uid: name }, spec, status };
    listeners.get(kind)?.({ type, object });
  };
  const metric = async (name: string): Promise<string[]> =>
    (await metrics.render(feed.tree, clock.now())).split('\n').filter((line) => line.startsWith(`${name}{`));
  return { feed, tell, metric };
}

it('counts ends of action sets under Kanister’s name, once each, and only those that were seen to come', async () => {
  const { tell, metric } = setUp();
  tell('added', 'ActionSet', { name: 'old', status: { state: 'complete' } });
  for (const [name, state] of [
    ['a', 'complete'],
    ['b', 'complete'],
    ['c', 'failed'],
  ] as const) {
    tell('added', 'ActionSet', { name, status: { state: 'running' } });
    tell('updated', 'ActionSet', { name, status: { state } });
    tell('updated', 'ActionSet', { name, status: { state } });
  }
  expect(await metric('kanister_action_set_resolutions_total')).toEqual([
    'kanister_action_set_resolutions_total{cluster="prod",resolution="success"} 2',
    'kanister_action_set_resolutions_total{cluster="prod",resolution="failure"} 1',
  ]);
});

it('shows migrations under MTC’s name, by type and status', async () => {
  const { tell, metric } = setUp();
  const is = (type: string) => ({ conditions: [{ type, status: 'True', category: 'Advisory' }] });
  tell('added', 'MigMigration', { name: 'a', spec: { stage: true }, status: is('Running') });
  tell('added', 'MigMigration', { name: 'b', spec: { stage: false }, status: is('Succeeded') });
  tell('added', 'MigMigration', { name: 'c', spec: { stage: false }, status: is('Failed') });
  tell('added', 'MigMigration', { name: 'd', spec: { stage: false } });
  const lines = await metric('cam_app_workload_migrations');
  expect(lines.toSorted()).toEqual([
    'cam_app_workload_migrations{cluster="prod",type="final",status="completed"} 1',
    'cam_app_workload_migrations{cluster="prod",type="final",status="failed"} 1',
    'cam_app_workload_migrations{cluster="prod",type="final",status="idle"} 1',
    'cam_app_workload_migrations{cluster="prod",type="stage",status="running"} 1',
  ]);
  tell('deleted', 'MigMigration', { name: 'd' });
  expect(await metric('cam_app_workload_migrations')).toHaveLength(3);
});

it('has live numbers of every kind', async () => {
  const { tell, metric } = setUp();
  tell('added', 'VolumePluginBackup', {
    name: 'v',
    namespace: 'velero',
    status: { phase: 'InProgress', progress: { totalBytes: 4, bytesDone: 1 } },
  });
  expect(await metric('headway_operation_progress_ratio')).toEqual([
    'headway_operation_progress_ratio{cluster="prod",kind="VolumePluginBackup",namespace="velero",name="v"} 0.25',
  ]);
});

it('knows the namespaces of kinds that may be anywhere, for as long as something is there', () => {
  const { feed, tell } = setUp();
  let news = 0;
  feed.places.onNew(() => (news += 1));
  for (const name of ['a', 'b']) tell('added', 'ActionSet', { name, namespace: 'shop' });
  tell('updated', 'ActionSet', { name: 'a', namespace: 'shop' });
  tell('added', 'Backup', { namespace: 'velero' });
  expect([[...feed.places.of('prod')], news]).toEqual([['shop'], 1]);
  tell('deleted', 'ActionSet', { name: 'a', namespace: 'shop' });
  expect(feed.places.hasMoreThan('prod', new Set())).toBe(true);
  tell('deleted', 'ActionSet', { name: 'b', namespace: 'shop' });
  expect([[...feed.places.of('prod')], [...feed.places.of('elsewhere')]]).toEqual([[], []]);
  expect(adapterFor('ActionSet').scope).toBe('all');
});
