import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LOG, type JsonObject } from '../../src/base/index.ts';
import { adapterFor, type Operation } from '../../src/core/operations/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type Pocket } from '../../src/pocket/index.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { CommandLine, framesOf } from './command-line.ts';

const NAMES = ['source', 'target'] as const;
const BOTH = NAMES.flatMap((name) => ['--context', `pocket-${name}`]);
const home = mkdtempSync(join(tmpdir(), 'headway-clusters-'));
const pockets: Pocket[] = [];
const kubes: KubeClient[] = [];
let cli: CommandLine;

beforeAll(async () => {
  for (const name of NAMES) {
    const pocket = await startPocket({ dir: join(home, name), name, port: 0, clock: systemClock, log: NO_LOG });
    const kube = await clientFor(pocket.kubeconfig);
    pockets.push(pocket);
    kubes.push(kube);
    await installCrds(kube, AbortSignal.timeout(60_000));
    for (const each of ['velero', 'openshift-migration', 'shop'])
      await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, each));
  }
  cli = new CommandLine(home, pockets.map(({ kubeconfig }) => kubeconfig).join(delimiter));
}, 120_000);
afterAll(async () => {
  for (const kube of kubes) await kube.close();
  for (const pocket of pockets) await pocket.close();
  rmSync(home, { recursive: true, force: true });
}, 60_000);

async function create(on: 0 | 1, kind: string, fields: { name: string; labels?: JsonObject } & JsonObject) {
  const { name, labels = {}, ...rest } = fields;
  const { type, scope } = adapterFor(kind);
  const namespace = scope === 'migration' ? 'openshift-migration' : scope === 'all' ? 'shop' : 'velero';
  const object = objectOf(type, name, { metadata: { labels }, ...rest });
  return await kubes[on]!.create({ type, namespace }, object);
}

const RUNNING = {
  type: 'Running',
  status: 'True',
  category: 'Advisory',
  reason: 'StageBackupCreated',
  message: 'Step: 18/33',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

describe('several clusters in one tree', () => {
  beforeAll(async () => {
    const { metadata } = await create(0, 'MigMigration', {
      name: 'shop-to-b',
      spec: { stage: false },
      status: { phase: 'StageBackupCreated', conditions: [RUNNING] },
    });
    const labels = { migmigration: metadata.uid ?? '' };
    for (const on of [0, 1] as const) {
      await create(on, 'Backup', { name: 'nightly', spec: {}, status: { phase: 'InProgress' } });
    }
    await create(1, 'Restore', { name: 'final', labels, spec: { backupName: 'x' }, status: { phase: 'InProgress' } });
    await create(1, 'ActionSet', { name: 'quiesce', spec: {}, status: { state: 'running' } });
  }, 60_000);

  it('keeps the same names apart, and hangs a part below its parent on the other cluster', async () => {
    const watch = cli.begin(['watch', '-o', 'json', ...BOTH]);
    const told = (): Operation[] =>
      watch
        .out()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Operation);
    await eventually(
      () => {
        expect(told().length).toBeGreaterThanOrEqual(5);
      },
      { withinMs: 30_000 },
    );
    watch.interrupt();
    await watch.ended;
    const byId = new Map(told().map((operation) => [operation.id, operation]));
    expect([...byId.keys()].toSorted()).toEqual([
      'pocket-source.backup.velero.nightly',
      'pocket-source.migmigration.openshift-migration.shop-to-b',
      'pocket-target.actionset.shop.quiesce',
      'pocket-target.backup.velero.nightly',
      'pocket-target.restore.velero.final',
    ]);
    expect(byId.get('pocket-target.restore.velero.final')?.parent).toBe(
      'pocket-source.migmigration.openshift-migration.shop-to-b',
    );
  }, 60_000);

  it('draws the cluster beside the name', async () => {
    const watch = cli.begin(['watch', ...BOTH], { isTerminal: true, columns: 140 });
    await eventually(
      () => {
        expect(watch.out()).toContain('quiesce');
      },
      { withinMs: 30_000 },
    );
    watch.interrupt();
    expect((await watch.ended).code).toBe(130);
    const frame = framesOf(watch).find((each) => each.includes('quiesce')) ?? '';
    const rows = frame.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '));
    expect(rows.find((row) => row.startsWith('NAME'))).toBe('NAME  CLUSTER  NAMESPACE  STATE  PROGRESS  RATE  LEFT');
    expect(rows.filter((row) => row.startsWith('● backup/nightly')).map((row) => row.split('  ')[1])).toEqual([
      'pocket-source',
      'pocket-target',
    ]);
    const at = rows.findIndex((row) => row.startsWith('● migration/shop-to-b'));
    expect(rows.slice(at + 1).find((row) => row.includes('└'))).toMatch(/^ *└ ● restore\/final {2}pocket-target/);
  }, 60_000);

  it('does not guess which one is meant', async () => {
    const both = await cli.run('watch', 'backup/nightly', ...BOTH);
    expect(both.code).toBe(2);
    expect(both.err).toContain(
      '"backup/nightly" names several: backup/nightly in namespace velero of pocket-source, ' +
        'backup/nightly in namespace velero of pocket-target\n',
    );
    expect(await cli.run('backup', 'get', ...BOTH)).toMatchObject({
      code: 2,
      err: 'headway: this command works on one cluster: give --context once\n',
    });
    expect((await cli.run('watch', ...BOTH, '--context', 'nowhere')).err).toContain('nowhere');
  }, 60_000);

  it('watches one migration with what it does on the other cluster', async () => {
    const watch = cli.begin(['migration', 'watch', 'shop-to-b', ...BOTH]);
    await eventually(
      () => {
        expect(watch.out()).toContain('restore/final');
      },
      { withinMs: 30_000 },
    );
    watch.interrupt();
    const { out } = await watch.ended;
    expect(out).toContain('migration/shop-to-b  pocket-source  running  51 %  step 18 of 33');
    expect(out).not.toContain('nightly');
  }, 60_000);
});
