import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, BackupStorageLocation, Schedule, SECRET, type ResourceType } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import { LocationsSchema, NamespacesSchema } from '../../src/server/routes/schemas/index.ts';
import { eventually } from '../eventually.ts';
import { NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';
import { Served, type Answer } from './served.ts';

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string; 'x-csrf-token': string };
const log = recordingLog();

beforeAll(async () => {
  cluster = await startCluster();
  const fsRoot = join(cluster.directory, 'stores');
  served = await Served.start([{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link', fsRoot }], {}, log);
  me = await served.byLink();
}, 60_000);
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  served.ask(path, { method, headers: me, ...(body === undefined ? {} : { body }) });
const read = (type: ResourceType, name: string) => cluster.kube.get({ type, namespace: NAMESPACE, name });
const fieldsOf = ({ json }: Answer): unknown =>
  (json['error'] as { details?: { fields?: unknown } } | undefined)?.details?.fields;
/** The watch has to bring it to the server first. */
const sendSoon = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  let answer: Answer | undefined;
  await eventually(async () => {
    answer = await send(method, path, body);
    expect(answer.status).not.toBe(404);
  });
  return answer as Answer;
};

describe('a schedule', () => {
  const spec = { schedule: '0 3 * * *', template: { includedNamespaces: ['shop'], ttl: '24h0m0s' } };

  it('is created, edited, paused, run and deleted', async () => {
    expect((await send('POST', '/api/schedules', { metadata: { name: 'nightly' }, spec })).status).toBe(201);
    const edited = { ...spec, schedule: '0 4 * * *' };
    expect((await sendSoon('PUT', '/api/schedules/nightly', { spec: edited })).status).toBe(200);
    expect(textAt(await read(Schedule, 'nightly'), 'spec', 'schedule')).toBe('0 4 * * *');
    expect((await send('POST', '/api/schedules/nightly/pause', { paused: true })).status).toBe(200);
    expect(await read(Schedule, 'nightly')).toMatchObject({ spec: { paused: true } });
    const run = await send('POST', '/api/schedules/nightly/run');
    expect(run.status).toBe(201);
    const name = String(run.json['id']).split('.').at(-1) ?? '';
    expect(name).toMatch(/^nightly-\d{14}$/);
    expect(await read(Backup, name)).toMatchObject({
      metadata: { labels: { 'velero.io/schedule-name': 'nightly' } },
      spec: { includedNamespaces: ['shop'], ttl: '24h0m0s' },
    });
    expect((await send('DELETE', '/api/schedules/nightly')).status).toBe(200);
    await expect(read(Schedule, 'nightly')).rejects.toMatchObject({ code: 'notFound' });
  });

  it.each([
    ['every day', 'spec.schedule'],
    ['', 'spec.schedule'],
    ['0 0 30 2 *', 'spec.schedule'],
  ])('that says %j is refused at its field', async (schedule, field) => {
    const answer = await send('POST', '/api/schedules', { metadata: { name: 'x' }, spec: { ...spec, schedule } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toMatchObject([{ field }]);
  });

  it('is refused at its name, in words and without how the cluster was asked', async () => {
    const wrong = await send('POST', '/api/schedules', { metadata: { name: 'My Schedule' }, spec });
    expect(fieldsOf(wrong)).toEqual([
      { field: 'metadata.name', message: expect.stringContaining('lower-case letters') as string },
    ]);
    expect(wrong.text).not.toMatch(/RFC|\/apis\/|https?:/);
    const create = () => send('POST', '/api/schedules', { metadata: { name: 'twice' }, spec });
    await create();
    expect(fieldsOf(await create())).toMatchObject([{ field: 'metadata.name', message: /taken already/ }]);
  });

  it('that is not there cannot be changed', async () => {
    expect((await send('POST', '/api/schedules/none/run')).status).toBe(404);
    expect((await send('PUT', '/api/schedules/none', { spec })).status).toBe(404);
  });
});

describe('a location', () => {
  const spec = { provider: 'aws', objectStorage: { bucket: 'b' }, config: { region: 'eu' } };
  const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'very-secret' };

  it('is created with a Secret that belongs to it, and tells nobody what is in there', async () => {
    const created = await send('POST', '/api/locations', { metadata: { name: 'offsite' }, spec, credentials });
    expect(created.status).toBe(201);
    expect(await read(BackupStorageLocation, 'offsite')).toMatchObject({
      spec: { ...spec, credential: { name: 'offsite-credentials', key: 'cloud' } },
    });
    const secret = await read(SECRET, 'offsite-credentials');
    const file = Buffer.from(textAt(secret, 'data', 'cloud') ?? '', 'base64').toString();
    expect(file).toBe('[default]\naws_access_key_id=AKIA\naws_secret_access_key=very-secret\n');
    expect(secret.metadata).toMatchObject({ ownerReferences: [{ kind: 'BackupStorageLocation', name: 'offsite' }] });
    expect(created.text + JSON.stringify(log.lines)).not.toContain('very-secret');
  });

  it('whose name is taken leaves no Secret behind', async () => {
    const taken = { metadata: { name: 'taken' }, spec };
    expect((await send('POST', '/api/locations', taken)).status).toBe(201);
    const answer = await send('POST', '/api/locations', { ...taken, credentials });
    expect(fieldsOf(answer)).toMatchObject([{ field: 'metadata.name' }]);
    await expect(read(SECRET, 'taken-credentials')).rejects.toMatchObject({ code: 'notFound' });
  });

  it('is checked when somebody asks, and deleted', async () => {
    const name = 'here';
    await send('POST', '/api/locations', { metadata: { name }, spec: { ...spec, provider: 'headway.io/fs' } });
    const status = { phase: 'Unavailable', message: 'old', lastValidationTime: '2026-01-01T00:00:00Z' };
    await cluster.kube.patch(
      { type: BackupStorageLocation, namespace: NAMESPACE, name },
      { kind: 'merge', body: { status } },
    );
    expect((await sendSoon('POST', `/api/locations/${name}/check`)).status).toBe(202);
    expect(textAt(await read(BackupStorageLocation, name), 'status', 'lastValidationTime')).toBeUndefined();
    const { json } = await send('GET', '/api/locations');
    expect(LocationsSchema.parse(json)).toBeTruthy();
    expect((await send('DELETE', `/api/locations/${name}`)).status).toBe(200);
    await expect(read(BackupStorageLocation, name)).rejects.toMatchObject({ code: 'notFound' });
  });

  it('takes no credentials that would write further lines into the file', async () => {
    const evil = { ...credentials, secretAccessKey: 'a\ncredential_process=x' };
    const answer = await send('POST', '/api/locations', { metadata: { name: 'evil' }, spec, credentials: evil });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toMatchObject([{ field: 'credentials.secretAccessKey' }]);
  });
});

it('names the namespaces to choose from', async () => {
  const { json } = await send('GET', '/api/namespaces');
  expect((NamespacesSchema.parse(json) as { namespaces: string[] }).namespaces).toContain(NAMESPACE);
});

it('writes down who changed what', () => {
  const audit = log.lines.filter(({ fields }) => fields?.['audit'] === true);
  const actions = new Set(audit.map(({ fields }) => fields?.['action']));
  for (const action of ['create', 'edit', 'pause', 'delete', 'check']) expect(actions).toContain(action);
});
