import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS, toCrd } from '../../src/api/index.ts';
import {
  ADAPTERS,
  findAdapter,
  formatOperationId,
  hasVerb,
  type Operation,
  type OperationDetail,
} from '../../src/core/operations/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { CommandLine, framesOf } from '../cli/command-line.ts';
import { goldenLine } from '../golden-line.ts';
import { HeadwayHome, type Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { CRDS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { manifests, type Manifest } from '../manifests.ts';
import { EventStream } from '../server/event-stream.ts';
import { Served } from '../server/served.ts';
import { HISTORIES } from './histories.ts';
import { judge, judgeFrames, judgeSteps, placeOf, play } from './play.ts';
import { watchedBy } from './watch-lines.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['test/fixtures/seeds', 'test/fixtures/upstream', 'test/fixtures/objects'] as const;
const CLUSTER = 'here';

/** Where the suite runs: a cluster, and kubectl. */
export interface Place extends AsyncDisposable {
  kubeconfig: string;
  kubectl: string;
}

/** Every kind as an operation, on a cluster whose objects somebody else writes: nothing works on them here. */
export function operationsSuite(open: () => Promise<Place>): void {
  let place: Place;
  let kube: KubeClient;
  let served: Served;
  let headers: { cookie: string; 'x-csrf-token': string };
  /** The program as a user runs it, and as one that this process can ask more of. */
  let home: HeadwayHome;
  let watch: Running;
  let cli: CommandLine;

  beforeAll(async () => {
    place = await open();
    kube = await clientFor(place.kubeconfig);
    await Promise.all(KINDS.map((kind) => kube.create({ type: CRDS }, toCrd(kind) as unknown as KubeObject)));
    for (const name of ['velero', 'openshift-migration', 'kanister', 'shop']) {
      await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
    }
    served = await Served.start([{ name: CLUSTER, kubeconfig: place.kubeconfig, login: 'link' }]);
    headers = await served.byLink();
    home = new HeadwayHome();
    cli = new CommandLine(home.path, place.kubeconfig);
    watch = home.start('watch', '-A', '-o', 'json', '--kubeconfig', place.kubeconfig);
  }, 180_000);
  afterAll(async () => {
    home?.[Symbol.dispose]();
    await served?.[Symbol.asyncDispose]();
    await kube?.close();
    await place?.[Symbol.asyncDispose]();
  }, 60_000);

  const stream = async (query = ''): Promise<EventStream> =>
    new EventStream(await served.open(`/api/events${query}`, { headers }));
  const idOf = ({ object }: Manifest): string =>
    formatOperationId({ cluster: CLUSTER, kind: object.kind, ...object.metadata });
  /** As `headway watch -A -o json` told them last. */
  const lastOf = (files: readonly Manifest[]): Operation[] => {
    const told = watchedBy(watch.out).map(({ data }) => data as unknown as Operation);
    return files.map(({ object }) => {
      const isIt = ({ ref }: Operation): boolean =>
        ref.kind === object.kind && ref.name === object.metadata.name && ref.namespace === object.metadata.namespace;
      const last = told.findLast(isIt);
      if (last === undefined) throw new Error(`${object.metadata.name} was not told; beside it: ${watch.err}`);
      return last;
    });
  };
  const detailOf = async (id: string): Promise<OperationDetail> => {
    const { status, json } = await served.ask(`/api/operations/${encodeURIComponent(id)}`, { headers });
    expect([id, status]).toEqual([id, 200]);
    return json as unknown as OperationDetail;
  };

  it.each(FOLDERS)(
    '%s: kubectl applies every example, and the server shows each as it always did',
    async (folder) => {
      const files = manifests(folder).filter(({ object }) => findAdapter(object.kind) !== undefined);
      const args = [
        '--kubeconfig',
        place.kubeconfig,
        'apply',
        ...files.flatMap(({ file }) => ['-f', join(ROOT, file)]),
      ];
      // A real server may answer 404 for a moment after a definition is established.
      await eventually(() => run(place.kubectl, { args }), { withinMs: 30_000 });
      const lines = await eventually(
        async () => {
          const read = [];
          for (const manifest of files) read.push(goldenLine(await detailOf(idOf(manifest))));
          return read;
        },
        { withinMs: 30_000 },
      );
      const golden = join(ROOT, `test/fixtures/operations/${folder.split('/').at(-1) ?? ''}.golden.txt`);
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden);
      const watched = await eventually(() => lastOf(files).map(goldenLine), { withinMs: 30_000 });
      await expect(`${watched.join('\n')}\n`).toMatchFileSnapshot(golden.replace('.golden', '-watched.golden'));
    },
    90_000,
  );

  it('keeps its promises while histories are played at 20 times their speed', async () => {
    const all = await stream('?limit=1000');
    await all.next('snapshot');
    const id = formatOperationId({
      cluster: CLUSTER,
      kind: 'MigMigration',
      namespace: placeOf('MigMigration'),
      name: 'played-well',
    });
    const terminal = cli.begin(['watch', '-A'], { isTerminal: true, columns: 160 });
    await eventually(
      () => {
        expect(framesOf(terminal).length).toBeGreaterThan(1);
      },
      { withinMs: 20_000 },
    );
    const playing = HISTORIES.map((history) => play(kube, history));
    await eventually(() => detailOf(id), { withinMs: 20_000 });
    const one = await stream(`?operation=${encodeURIComponent(id)}`);
    await Promise.all(playing);
    await eventually(
      () => {
        const watched = watchedBy(watch.out);
        for (const history of HISTORIES) for (const events of [all.events, watched]) judge(history, events);
        expect(one.named('operation').at(-1)?.data).toMatchObject({ report: { state: 'completed' } });
      },
      { withinMs: 20_000 },
    );
    judgeSteps(one.events);
    terminal.interrupt();
    expect((await terminal.ended).code).toBe(130);
    const frames = framesOf(terminal);
    expect(Math.max(...HISTORIES.map((history) => judgeFrames(history, frames)))).toBeGreaterThan(1);
    for (const each of [all, one]) each.close();
  }, 120_000);

  it('hangs volumes below their backup, and that below the migration whose uid it carries', async () => {
    const create = async (kind: string, name: string, metadata: object, spec: object): Promise<KubeObject> => {
      const { type } = findAdapter(kind)!;
      const namespace = placeOf(kind);
      return await kube.create({ type, namespace }, objectOf(type, name, { metadata, spec } as never));
    };
    const volume = { volume: 'pv-1', backup: 'shop-data', plugin: 'example.com/p' };
    await create('VolumePluginBackup', 'shop-data-1', {}, volume);
    const { metadata } = await create('MigMigration', 'shop-to-b', {}, { stage: false });
    await create('Backup', 'shop-data', { labels: { migmigration: metadata.uid } }, {});
    const id = (kind: string, name: string): string =>
      formatOperationId({ cluster: CLUSTER, kind, namespace: placeOf(kind), name });
    await eventually(async () => {
      const { parts } = await detailOf(id('MigMigration', 'shop-to-b'));
      expect(parts.map((part) => [part.id, part.parent])).toEqual([
        [id('Backup', 'shop-data'), id('MigMigration', 'shop-to-b')],
        [id('VolumePluginBackup', 'shop-data-1'), id('Backup', 'shop-data')],
      ]);
    });
    const { json } = await served.ask('/api/operations?parent=none&q=shop-', { headers });
    expect((json['operations'] as { id: string }[]).map((each) => each.id)).toContain(id('MigMigration', 'shop-to-b'));
    expect(JSON.stringify(json)).not.toContain('shop-data-1');
  });

  it.each([
    ['actionsets', 'shop', { metadata: { name: 'made', namespace: 'shop' }, spec: { actions: [] } }],
    ['migmigrations', 'openshift-migration', { metadata: { name: 'made' }, spec: { stage: true } }],
    ['directimagemigrations', 'openshift-migration', { metadata: { name: 'made' }, spec: { namespaces: ['shop'] } }],
  ])('creates %s where they belong, without a status of the caller’s', async (plural, namespace, body) => {
    const { type } = ADAPTERS.find((adapter) => adapter.type.plural === plural)!;
    const answer = await served.ask(`/api/${plural}`, {
      method: 'POST',
      headers,
      body: { ...body, status: { phase: 'Completed', state: 'complete' } },
    });
    expect([answer.status, answer.json['id']]).toEqual([
      201,
      `${CLUSTER}.${type.kind.toLowerCase()}.${namespace}.made`,
    ]);
    expect(await kube.get({ type, namespace, name: 'made' })).not.toHaveProperty('status.phase');
  });

  it('creates nothing in a namespace that nobody named, or that is not the kind’s own', async () => {
    const nowhere = { method: 'POST', headers, body: { metadata: { name: 'lost' }, spec: {} } };
    const { status, text } = await served.ask('/api/actionsets', nowhere);
    expect([status, text]).toEqual([422, expect.stringContaining('metadata.namespace is missing')]);
    const body = { metadata: { name: 'lost', namespace: 'shop' }, spec: { stage: false } };
    expect((await served.ask('/api/migmigrations', { ...nowhere, body })).text).toContain(
      'expected namespace openshift-migration, got shop',
    );
  });

  it.each(ADAPTERS.map((adapter) => [adapter.type.kind, adapter] as const))(
    'cancels a %s by the field that its kind has, and deletes it',
    async (kind, adapter) => {
      const namespace = placeOf(kind);
      const target = { type: adapter.type, namespace, name: 'to-cancel' };
      const { spec = {} } = HISTORIES.find((history) => history.kind === kind) ?? {};
      const status = kind === 'ActionSet' ? { state: 'running' } : { phase: 'InProgress' };
      await kube.create(target, objectOf(adapter.type, 'to-cancel', { spec, status }));
      const path = `/api/operations/${CLUSTER}.${kind.toLowerCase()}.${namespace}.to-cancel`;
      await eventually(async () => {
        expect((await served.ask(path, { headers })).status).toBe(200);
      });
      const answer = await served.ask(`${path}/cancel`, { method: 'POST', headers });
      const object = await kube.get(target);
      if (hasVerb(adapter, 'cancel')) {
        expect(answer.status).toBe(200);
        expect(object).toMatchObject(adapter.cancel!.patch);
      } else {
        expect(answer).toMatchObject({ status: 422, json: { error: { code: 'invalid' } } });
        expect(object.metadata).not.toHaveProperty('annotations');
      }
      expect((await served.ask(path, { method: 'DELETE', headers })).status).toBe(202);
      if (adapter.deletion.request !== undefined) return;
      await eventually(async () => {
        await expect(kube.get(target)).rejects.toMatchObject({ code: 'notFound' });
      });
    },
  );

  it.each(ADAPTERS.map((adapter) => [adapter.type.kind, adapter] as const))(
    'cancels and deletes a %s from the command line, by the field that its kind has',
    async (kind, adapter) => {
      const namespace = placeOf(kind);
      const target = { type: adapter.type, namespace, name: 'to-stop' };
      const { spec = {} } = HISTORIES.find((history) => history.kind === kind) ?? {};
      const status = kind === 'ActionSet' ? { state: 'running' } : { phase: 'InProgress' };
      await kube.create(target, objectOf(adapter.type, 'to-stop', { spec, status }));
      const name = `${kind.toLowerCase()}/to-stop`;
      const canceled = await cli.run(adapter.noun, 'cancel', name);
      const object = await kube.get(target);
      if (hasVerb(adapter, 'cancel')) {
        expect(canceled).toMatchObject({ code: 0, out: `${adapter.noun}/to-stop is being canceled\n` });
        expect(canceled.err).toContain(adapter.afterCancel);
        expect(object).toMatchObject(adapter.cancel!.patch);
      } else {
        expect(canceled).toMatchObject({ code: 1, out: '' });
        expect(canceled.err).toContain('cannot be canceled by itself');
        expect(object.metadata).not.toHaveProperty('annotations');
      }
      const deleted = await cli.run(adapter.noun, 'delete', name, '--confirm');
      expect(deleted).toMatchObject({ code: 0, err: '' });
      if (adapter.deletion.request !== undefined) return;
      await expect(kube.get(target)).rejects.toMatchObject({ code: 'notFound' });
    },
    30_000,
  );
}
