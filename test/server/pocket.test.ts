import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore, Schedule, VolumePluginBackup, type AnyKind } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import {
  ContentsSchema,
  DiffSchema,
  ErrorSchema,
  ItemSchema,
  LocationsSchema,
  OperationDetailSchema,
  OperationsSchema,
  SchedulesSchema,
} from '../../src/server/routes/schemas/index.ts';
import { eventually } from '../eventually.ts';
import { NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';
import { configMap, storeBackup } from '../engine/stored-backup.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';
import { EventStream } from './event-stream.ts';
import { Served } from './served.ts';

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string; 'x-csrf-token': string };
const log = recordingLog();
const liveLog = { text: 'time="x" level=info msg="first"\n' };

beforeAll(async () => {
  cluster = await startCluster();
  served = await Served.start(
    [
      {
        name: 'demo',
        kubeconfig: cluster.kubeconfig,
        login: 'link',
        fsRoot: join(cluster.directory, 'stores'),
        planner: {
          plans: {
            Backup: () =>
              Promise.resolve({
                kind: 'Backup',
                validationErrors: [],
                unmatched: [],
                warnings: [],
                namespaces: ['shop'],
                resources: [],
                total: 0,
                leftOut: [],
              }),
          },
          items: () =>
            Promise.resolve({
              keys: Readable.from([
                { groupResource: 'configmaps', namespace: 'shop', name: 'a' },
                { groupResource: 'configmaps', namespace: 'shop', name: 'since' },
              ]),
              problems: () => ['pods may not be listed'],
            }),
        },
        logs: {
          async *tail() {
            yield await Promise.resolve(Buffer.from(liveLog.text));
          },
        },
      },
    ],
    {},
    log,
  );
  me = await served.byLink();
}, 60_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const get = (path: string) => served.ask(path, { headers: me });
const idOf = (kind: string, name: string): string => `demo.${kind}.velero.${name}`;

async function put(kind: AnyKind, name: string, fields: JsonObject): Promise<void> {
  const object = { apiVersion: 'velero.io/v1', kind: kind.kind, metadata: { name, namespace: NAMESPACE }, ...fields };
  await cluster.kube.create({ type: kind, namespace: NAMESPACE }, object);
}

async function setStatus(kind: AnyKind, name: string, status: JsonObject): Promise<void> {
  await cluster.kube.patch({ type: kind, namespace: NAMESPACE, name }, { kind: 'merge', body: { status } });
}

/** The watch has brought it here. */
async function known(kind: string, name: string): Promise<void> {
  await eventually(async () => {
    expect((await get(`/api/operations/${idOf(kind, name)}`)).status).toBe(200);
  });
}

async function events(path = '/api/events', headers: Record<string, string> = {}): Promise<EventStream> {
  return new EventStream(await served.open(path, { headers: { cookie: me.cookie, ...headers } }));
}

describe('operations', () => {
  it('are listed, filtered and shown in detail', async () => {
    await put(Backup, 'nightly.1', {
      spec: { storageLocation: 'default' },
      status: { phase: 'InProgress', progress: { itemsBackedUp: 4, totalItems: 10, percent: 40, stage: 'archiving' } },
    });
    await known('backup', 'nightly.1');
    const { json } = await get('/api/operations?kind=backup&state=running&q=NIGHTLY');
    expect(OperationsSchema.parse(json)).toMatchObject({ total: 1, operations: [{ id: idOf('backup', 'nightly.1') }] });
    const detail = await get(`/api/operations/${encodeURIComponent(idOf('backup', 'nightly.1'))}`);
    expect(OperationDetailSchema.parse(detail.json)).toMatchObject({ report: { percent: 40, stage: 'archiving' } });
    expect((await get('/api/operations?state=dancing')).json).toMatchObject({ error: { code: 'usage' } });
    const missing = await get(`/api/operations/${idOf('backup', 'none')}`);
    expect(missing.status).toBe(404);
    expect(ErrorSchema.parse(missing.json)).toMatchObject({ error: { code: 'notFound' } });
  });

  it('are listed by what they are part of', async () => {
    await put(Backup, 'whole', { spec: {}, status: { phase: 'InProgress' } });
    await put(VolumePluginBackup, 'whole-x', { spec: { volume: 'v', backup: 'whole', plugin: 'p' } });
    await known('volumepluginbackup', 'whole-x');
    await known('backup', 'whole');
    const names = async (query: string): Promise<unknown> => {
      const { operations } = (await get(`/api/operations?${query}`)).json as {
        operations: { ref: { name: string } }[];
      };
      return operations.map(({ ref }) => ref.name);
    };
    expect(await names(`parent=${idOf('backup', 'whole')}`)).toEqual(['whole-x']);
    expect(await names('parent=none&q=whole')).toEqual(['whole']);
  });

  it('of another namespace than the one that is watched are not looked for', async () => {
    const { status, text } = await get('/api/operations/demo.backup.elsewhere.x');
    expect([status, text]).toEqual([
      404,
      expect.stringContaining('watches backups in namespace velero, not elsewhere'),
    ]);
  });

  it('stream as they change, and a stream goes on where it was', async () => {
    await put(Restore, 'live', { spec: { backupName: 'nightly.1' }, status: { phase: 'InProgress' } });
    const isLive = ({ id }: Record<string, unknown>): boolean => id === idOf('restore', 'live');
    await known('restore', 'live');
    const first = await events();
    await first.next('snapshot');
    await setStatus(Restore, 'live', { progress: { percent: 10 } });
    const { id } = await first.next('operation', isLive);
    first.close();
    await setStatus(Restore, 'live', { progress: { percent: 50 } });
    const second = await events('/api/events', { 'last-event-id': id ?? '' });
    const seen = await second.next('operation', isLive);
    expect(seen.data).toMatchObject({ report: { percent: 50 } });
    expect(second.named('snapshot')).toEqual([]);
    await cluster.kube.delete({ type: Restore, namespace: NAMESPACE, name: 'live' });
    await second.next('removed', isLive);
    await second.next('heartbeat');
    second.close();
  });

  it('stream compressed, each piece readable when it comes', async () => {
    const stream = await events('/api/events', { 'accept-encoding': 'gzip, br' });
    await stream.next('snapshot');
    await put(Backup, 'zipped', { spec: {}, status: {} });
    await stream.next('operation', ({ id }) => id === idOf('backup', 'zipped'));
    await stream.next('heartbeat');
    stream.close();
  });

  it('stream one by one in all detail', async () => {
    const stream = await events(`/api/events?operation=${idOf('backup', 'nightly.1')}`);
    const { data } = await stream.next('snapshot');
    expect(data).toMatchObject({ operations: [{ object: { kind: 'Backup' }, stages: [] }], counts: { running: 1 } });
    await put(Backup, 'another', { spec: {}, status: {} });
    await setStatus(Backup, 'nightly.1', { stages: [{ stage: 'archiving', startedAt: '2026-01-01T00:00:00Z' }] });
    await stream.next('operation', ({ stages }) => (stages as unknown[]).length === 1);
    expect(stream.named('operation').map(({ data: each }) => each['id'])).toEqual([idOf('backup', 'nightly.1')]);
    stream.close();
  });

  it('leave a stream that asks for a state when they leave the state', async () => {
    await put(Restore, 'ends', { spec: { backupName: 'nightly.1' }, status: { phase: 'InProgress' } });
    await known('restore', 'ends');
    const stream = await events('/api/events?state=running');
    await stream.next('snapshot', ({ operations }) => JSON.stringify(operations).includes('restore.velero.ends'));
    await setStatus(Restore, 'ends', { phase: 'Completed' });
    await stream.next('removed', ({ id }) => id === idOf('restore', 'ends'));
    stream.close();
  });
});

describe('changes', () => {
  it('are made by the caller, without a status, and are written down', async () => {
    const body = { metadata: { name: 'made' }, spec: { storageLocation: 'default' }, status: { phase: 'Completed' } };
    const made = await served.ask('/api/backups', { method: 'POST', headers: me, body });
    expect(made).toMatchObject({ status: 201, json: { id: idOf('backup', 'made') } });
    expect(made.json['object']).not.toHaveProperty('status.phase');
    const again = await served.ask('/api/backups', { method: 'POST', headers: me, body });
    expect(again).toMatchObject({ status: 409, json: { error: { code: 'alreadyExists' } } });
    await known('backup', 'made');
    const cancel = `/api/operations/${idOf('backup', 'made')}/cancel`;
    expect((await served.ask(cancel, { method: 'POST', headers: me })).status).toBe(200);
    const object = await cluster.kube.get({ type: Backup, namespace: NAMESPACE, name: 'made' });
    expect(object.metadata.annotations).toMatchObject({ 'headway.io/cancel': 'true' });
    const removed = await served.ask(`/api/operations/${idOf('backup', 'made')}`, { method: 'DELETE', headers: me });
    expect(removed.status).toBe(202);
    const audit = log.lines.filter(({ fields }) => fields['audit'] === true && fields['name'] === 'made');
    expect(audit.map(({ fields }) => [fields['action'], fields['result']])).toEqual([
      ['create', 'done'],
      ['create', 'alreadyExists'],
      ['cancel', 'done'],
      ['delete', 'done'],
    ]);
  });

  it('ask nothing to stop that has ended', async () => {
    await put(Restore, 'over', { spec: { backupName: 'made' }, status: { phase: 'Completed' } });
    await known('restore', 'over');
    const cancel = `/api/operations/${idOf('restore', 'over')}/cancel`;
    const { status, text } = await served.ask(cancel, { method: 'POST', headers: me });
    expect([status, text]).toEqual([422, expect.stringContaining('it has ended already (Completed)')]);
    const { metadata } = await cluster.kube.get({ type: Restore, namespace: NAMESPACE, name: 'over' });
    expect(metadata.annotations?.['headway.io/cancel']).toBeUndefined();
  });

  it('are refused with every problem at once', async () => {
    const body = { metadata: { name: 'bad', namespace: 'velero' }, spec: { ttl: 'soon', includedNamespaces: 7 } };
    const { status, json } = await served.ask('/api/backups', { method: 'POST', headers: me, body });
    expect(status).toBe(422);
    expect(json).toMatchObject({ error: { details: { problems: [expect.any(String), expect.any(String)] } } });
    const elsewhere = { metadata: { name: 'x', namespace: 'kube-system' }, spec: {} };
    expect((await served.ask('/api/backups', { method: 'POST', headers: me, body: elsewhere })).status).toBe(422);
  });

  it('need the token of the session', async () => {
    const body = { metadata: { name: 'forged' }, spec: {} };
    const { cookie } = me;
    for (const headers of [{ cookie }, { cookie, 'x-csrf-token': 'guess' }, { ...me, origin: 'http://evil.example' }]) {
      expect((await served.ask('/api/backups', { method: 'POST', headers, body })).status).toBe(403);
    }
  });

  it('can be planned, which creates nothing', async () => {
    const body = { kind: 'Backup', metadata: {}, spec: { includedNamespaces: ['shop'] } };
    const { status, json } = await served.ask('/api/plan', { method: 'POST', headers: me, body });
    expect([status, json]).toMatchObject([200, { kind: 'Backup', namespaces: ['shop'] }]);
    const pod = await served.ask('/api/plan', { method: 'POST', headers: me, body: { ...body, kind: 'Pod' } });
    expect(pod.status).toBe(422);
  });
});

describe('the inside of a backup', () => {
  const secret = (value: string) => {
    const data = { password: Buffer.from(value).toString('base64') };
    const copy = JSON.stringify({ kind: 'Secret', data });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': copy };
    const metadata = { name: 'login', namespace: 'shop', annotations };
    return { groupResource: 'secrets', object: { apiVersion: 'v1', kind: 'Secret', metadata, data } };
  };

  it('can be looked at, one item at a time, with Secrets masked everywhere', async () => {
    await storeBackup(cluster, 'inside', [configMap('shop', 'a'), configMap('shop', 'b'), secret('hunter2')]);
    const other = [configMap('shop', 'a', { k: 'changed' }), secret('other'), configMap('shop', 'new')];
    await storeBackup(cluster, 'other', other);
    await known('backup', 'other');
    const at = `/api/backups/${idOf('backup', 'inside')}`;
    const contents = ContentsSchema.parse((await get(`${at}/contents?limit=2`)).json);
    expect(contents).toMatchObject({
      total: 3,
      groups: [{ resource: 'configmaps', count: 2 }, { resource: 'secrets' }],
      continue: '2',
    });
    const rest = ContentsSchema.parse((await get(`${at}/contents?continue=2&kind=secrets`)).json);
    expect(rest).toMatchObject({ total: 1, items: [] });
    const item = await get(`${at}/item?resource=secrets&namespace=shop&name=login`);
    expect(ItemSchema.parse(item.json)).toMatchObject({ isMasked: true });
    const missing = await get(`${at}/item?resource=secrets&namespace=shop&name=../../etc/passwd`);
    expect(missing.status).toBe(404);
    const diff = await get(`${at}/diff?with=${idOf('backup', 'other')}`);
    expect(DiffSchema.parse(diff.json)).toMatchObject({
      added: [{ name: 'new' }],
      removed: [{ name: 'b' }],
      changed: [{ name: 'a', fields: [{ path: 'data.k', before: '"v"', after: '"changed"' }] }, { name: 'login' }],
    });
    const live = await get(`${at}/diff?with=cluster`);
    expect(DiffSchema.parse(live.json)).toMatchObject({
      counts: { removed: 3, added: 1 },
      added: [{ resource: 'configmaps', namespace: 'shop', name: 'since' }],
      problems: ['not all that was added is known: pods may not be listed'],
    });
    for (const { text } of [item, diff, live]) {
      expect(text).not.toMatch(/hunter2|aHVudGVyMg|b3RoZXI/);
    }
  });

  it('tells its log while it runs, and from the location when it has ended', async () => {
    const { text } = await get(`/api/operations/${idOf('backup', 'nightly.1')}/log?follow=1`);
    expect(text).toBe(liveLog.text);
  });

  it('groups the problems of its results, and says them in one sentence', async () => {
    const folder = join(cluster.bucket, 'restores', 'partly');
    mkdirSync(folder, { recursive: true });
    const failures = Array.from(
      { length: 12 },
      (_, at) => `could not create Service shop/s${at}: port already allocated`,
    );
    const results = { errors: { namespaces: { shop: failures } }, warnings: {} };
    writeFileSync(join(folder, 'restore-partly-results.gz'), gzipSync(JSON.stringify(results)));
    await put(Restore, 'partly', {
      spec: { backupName: 'inside' },
      status: {
        phase: 'PartiallyFailed',
        errors: 12,
        startTimestamp: '2026-01-01T00:00:00Z',
        completionTimestamp: '2026-01-01T00:00:03Z',
        progress: { itemsRestored: 2431, totalItems: 2431, failed: 12 },
        itemsByKind: [{ kind: 'Service', failed: 12 }],
      },
    });
    await known('restore', 'partly');
    const { json } = await get(`/api/operations/${idOf('restore', 'partly')}`);
    expect(OperationDetailSchema.parse(json)).toMatchObject({
      problems: [{ count: 12, text: 'could not create Service (12): port already allocated' }],
      sentence: 'Restored 2 419 of 2 431 items in 3.0 s; 12 Services failed: port already allocated',
    });
  });
});

it('lists schedules and locations', async () => {
  await put(Schedule, 'daily', { spec: { schedule: '@daily', template: {} }, status: { phase: 'Enabled' } });
  const locations = LocationsSchema.parse((await get('/api/locations')).json);
  expect(locations).toMatchObject({ locations: [{ name: 'default', phase: 'Available', isDefault: true }] });
  await eventually(async () => {
    const schedules = SchedulesSchema.parse((await get('/api/schedules')).json);
    expect(schedules).toMatchObject({ schedules: [{ name: 'daily', nextBackupAt: expect.any(String) as string }] });
  });
});

it('tells Prometheus, health and OpenAPI', async () => {
  const metrics = await get('/metrics');
  expect(metrics.text).toMatch(
    /headway_operation_progress_ratio\{cluster="demo",kind="Backup",.*name="nightly.1"\} 0.4/,
  );
  expect(metrics.text).toMatch(/velero_backup_total\{cluster="demo"\} \d/);
  expect((await served.ask('/metrics')).status).toBe(401);
  expect((await served.ask('/healthz', { headers: { host: '10.1.2.3' } })).text).toBe('ok\n');
  expect((await served.ask('/readyz')).text).toBe('ok\n');
  const { json } = await served.ask('/api/openapi.json');
  expect(json).toMatchObject({ openapi: '3.0.3', paths: { '/api/operations/{id}': { get: {}, delete: {} } } });
});
