import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError, type JsonObject } from '../../src/base/index.ts';
import type { ClusterChoice, ClusterSession } from '../../src/cli/index.ts';
import { adapterFor } from '../../src/core/operations/index.ts';
import type { KubeObject, Target } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import { CRDS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { CliFixture } from './cli-fixture.ts';

let cli: CliFixture;
beforeAll(async () => {
  cli = await CliFixture.start();
  for (const name of ['openshift-migration', 'shop', 'blog']) {
    await cli.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
  }
}, 60_000);
afterAll(async () => {
  await cli[Symbol.asyncDispose]();
});

async function create(kind: string, namespace: string, name: string, fields: JsonObject): Promise<KubeObject> {
  const { type } = adapterFor(kind);
  return await cli.kube.create({ type, namespace }, objectOf(type, name, fields));
}

/** Headings and rows, without the last column, which tells the age. */
const cells = (out: string): string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/).slice(0, -1).join(' | '));

const mover = { pod: { namespace: 'shop', name: 'db-0' }, volume: 'data', backupStorageLocation: 'default' };
const half = { phase: 'InProgress', progress: { bytesDone: 5 * 2 ** 30, totalBytes: 10 * 2 ** 30 } };

describe('volumes', () => {
  beforeAll(async () => {
    await create('Backup', 'velero', 'nightly', { spec: {}, status: { phase: 'InProgress' } });
    const spec = { volume: 'pgdata', backup: 'nightly', plugin: 'headway.io/kopia' };
    await create('VolumePluginBackup', 'velero', 'nightly-1', { spec, status: half });
    await create('PodVolumeBackup', 'velero', 'twin', { spec: { ...mover, node: 'n', repoIdentifier: '' } });
    const restored = { ...mover, repoIdentifier: '', snapshotID: 's', sourceNamespace: 'shop' };
    await create('PodVolumeRestore', 'velero', 'twin', { spec: restored });
  });

  it('are one table, of whichever kind', async () => {
    const { code, out } = await cli.run('volume', 'get');
    expect(code).toBe(0);
    expect(cells(out).toSorted()).toEqual([
      'NAMESPACE | NAME | KIND | VOLUME | STATE | DONE | AMOUNT | LEFT | BACKUP',
      'velero | nightly-1 | VolumePluginBackup | pgdata | ● running | 50 % | 5.0 of ~10.0 GiB | – | nightly',
      'velero | twin | PodVolumeBackup | data | ○ pending | – | – | – | –',
      'velero | twin | PodVolumeRestore | data | ○ pending | – | – | – | –',
    ]);
    const named = await cli.run('volume', 'get', 'nightly-1', '-o', 'name');
    expect(named.out).toBe('volumepluginbackup.velero.io/nightly-1\n');
  });

  it('are chosen by their kind where several have the name', async () => {
    const both = await cli.run('volume', 'cancel', 'twin');
    expect(both.code).toBe(2);
    expect(both.err).toContain(
      '"twin" names several: podvolumebackup/twin in velero, podvolumerestore/twin in velero\n',
    );
    expect((await cli.run('volume', 'describe', 'podvolumerestores.velero.io/twin')).out).toContain('PodVolumeRestore');
    expect(await cli.run('volume', 'describe', 'backup/twin')).toMatchObject({ code: 2 });
    expect((await cli.run('volume', 'delete', 'podvolumebackup/twin', '--confirm')).out).toBe('volume/twin deleted\n');
    expect((await cli.run('volume', 'get', 'twin', '-o', 'name')).out).toBe('podvolumerestore.velero.io/twin\n');
  });

  it('are below their backup when that is described, and watched by the claim that people read', async () => {
    const { out } = await cli.run('backup', 'describe', 'nightly');
    expect(out).toContain('\nParts (1 running)\n');
    // Its own name is left out where the claim's is enough.
    expect(out).toMatch(/\n {2}● volume\/pgdata {2}.* 50 % .*5\.0 of ~10\.0 GiB/);
    const json = JSON.parse((await cli.run('backup', 'describe', 'nightly', '-o', 'json')).out) as JsonObject;
    expect(json['parts']).toMatchObject([{ id: 'pocket-test.volumepluginbackup.velero.nightly-1' }]);
    const watch = cli.begin(['watch', 'volume/pgdata']);
    await eventually(
      () => {
        expect(watch.out()).toContain('● volume/pgdata (nightly-1)  running  50 %');
      },
      {
        withinMs: 15_000,
      },
    );
    watch.interrupt();
    await watch.ended;
  });

  it.each([
    ['volume describe nobody', 3, 'there is no volume "nobody" in namespaces velero and openshift-migration\n'],
    ['volume watch nobody', 3, 'there is no volume "nobody" in namespaces velero and openshift-migration\n'],
    ['volume describe a,b', 3, 'there is no volume "a,b"'],
    ['volume describe a/b/c', 2, '"a/b/c" names nothing: expected NAME, or KIND/NAME with one of the kinds volume'],
    ['volume delete', 2, 'say which volumes to delete: give names, --selector or --all\n'],
    ['action delete --all --confirm', 2, 'say in which namespace to delete actions, with -n NAMESPACE\n'],
    ['watch -A -n shop', 2, '--namespace and --all-namespaces exclude each other'],
  ])('%s', async (line, code, said) => {
    const { err, ...ran } = await cli.run(...line.split(' '));
    expect(ran.code).toBe(code);
    expect(err).toContain(said);
  });
});

describe('actions', () => {
  beforeAll(async () => {
    const phases = [
      { name: 'dump', state: 'complete' },
      { name: 'upload', state: 'running' },
    ];
    const status = { state: 'running', actions: [{ name: 'backup', phases }] };
    for (const namespace of ['shop', 'blog']) await create('ActionSet', namespace, 'same', { spec: {}, status });
    await create('ActionSet', 'shop', 'broken', {
      spec: {},
      status: { state: 'failed', error: { message: 'no space' } },
    });
  });

  it('are those of all namespaces, unless one is named', async () => {
    expect(cells((await cli.run('action', 'get')).out).toSorted()).toEqual([
      'NAMESPACE | NAME | STATE | DONE | STEP | ACTION | ERRORS',
      'blog | same | ● running | 50 % | step 2 of 2, upload | backup | 0',
      'shop | broken | ✕ failed | – | – | – | 1',
      'shop | same | ● running | 50 % | step 2 of 2, upload | backup | 0',
    ]);
    expect(cells((await cli.run('action', 'get', '-n', 'blog')).out)).toHaveLength(2);
    const several = await cli.run('action', 'describe', 'same');
    expect(several).toMatchObject({ code: 2, out: '' });
    expect(several.err).toContain('actionset/same in blog, actionset/same in shop\n');
    expect((await cli.run('action', 'describe', 'same', '-n', 'shop')).out).toContain(
      '\nSteps\n  backup\n  ✓ dump\n  ● upload\n',
    );
  });

  it('say where to look when they have failed', async () => {
    const { code, out } = await cli.run('action', 'watch', 'broken');
    expect(code).toBe(1);
    expect(out).toContain('✕ action/broken  shop  failed  Failed: no space\n');
    expect(out).toContain('See why with: headway action describe broken -n shop\n');
  });

  /** As a cluster answers whoever has rights in one namespace alone. */
  const refusing =
    (mayList: (target: Target) => boolean) =>
    async (choice: ClusterChoice): Promise<ClusterSession> => {
      const session = await cli.connect(choice);
      const { kube } = session;
      const list: typeof kube.list = (target, options) => {
        if (mayList(target)) return kube.list(target, options);
        throw new AppError('forbidden', `may not list ${target.type.plural}`);
      };
      return { ...session, kube: { ...kube, list, close: () => kube.close() } };
    };
  const inShop = ({ type, namespace }: Target): boolean => type.kind === 'ActionSet' && namespace === 'shop';

  it('are shown as far as the user may list them', async () => {
    const connect = refusing((target) => inShop(target) || target.type.kind === 'Namespace');
    const { code, out } = await cli.begin(['action', 'get'], { connect }).ended;
    expect({
      code,
      names: cells(out)
        .slice(1)
        .map((row) => row.split(' | ')[0]),
    }).toEqual({
      code: 0,
      names: ['shop', 'shop'],
    });
    const watch = cli.begin(['watch', '-A', '-o', 'json'], { connect });
    await eventually(
      () => {
        expect(watch.out()).toContain('.actionset.shop.same');
      },
      { withinMs: 15_000 },
    );
    expect(watch.err()).toMatch(/▲ not shown, because you may not list them: backups, restores, .*migrations\n/);
    expect(watch.out()).not.toContain('blog');
    watch.interrupt();
    await watch.ended;
  });

  it('are an error where the user may list none, with what helps', async () => {
    const connect = refusing(() => false);
    for (const args of [
      ['action', 'get'],
      ['watch', '-A'],
      ['action', 'watch', 'same'],
      ['action', 'get', '-w'],
    ]) {
      const { code, err } = await cli.begin(args, { connect }).ended;
      expect([args.join(' '), code]).toEqual([args.join(' '), 4]);
      expect(err).toContain('Name a namespace in which you may, with: -n NAMESPACE');
    }
  });
});

it('completes nouns, verbs and the names of every kind', async () => {
  const words = async (...args: string[]): Promise<string[]> =>
    (await cli.run('__complete', '--', ...args)).out.split('\n').map((line) => line.split('\t')[0] ?? '');
  expect(await words('mig')).toContain('migration');
  expect(await words('action', '')).toEqual(expect.arrayContaining(['get', 'describe', 'watch', 'cancel', 'delete']));
  expect(await words('volume', 'cancel', 'night')).toContain('nightly-1');
  expect(await words('watch', 'action/')).toContain('action/broken');
});

describe('a group whose definitions are not there', () => {
  beforeAll(async () => {
    await cli.kube.delete({ type: CRDS, name: 'migmigrations.migration.openshift.io' });
    await cli.kube.delete({ type: CRDS, name: 'actionsets.cr.kanister.io' });
  });

  it('is named by those who ask for it, and costs the others nothing', async () => {
    await eventually(async () => {
      expect(await cli.run('action', 'get')).toEqual({
        code: 3,
        out: '',
        err:
          'headway: this cluster has no actions: it knows no actionsets.cr.kanister.io\n' +
          'Install the definitions with: headway install --crds-only\n',
      });
    });
    expect(await cli.run('action', 'watch', 'x')).toMatchObject({ code: 3 });
    // Direct migrations are still known.
    expect(await cli.run('migration', 'get')).toMatchObject({
      code: 0,
      err: 'No migrations in namespace openshift-migration.\n',
    });
    const watch = cli.begin(['watch', '-A']);
    await eventually(
      () => {
        expect(watch.out()).toContain('● backup/nightly  velero  running\n');
      },
      { withinMs: 15_000 },
    );
    watch.interrupt();
    expect((await watch.ended).err).not.toContain('not shown');
  });
});
