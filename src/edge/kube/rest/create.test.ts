import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transportTo } from '../../../../test/kube-transport.ts';
import {
  html,
  json,
  killed,
  lost,
  ScriptedServer,
  silent,
  status,
  text,
} from '../../../../test/scripted-server/index.ts';
import type { AppError } from '../../../base/index.ts';
import { create, createText } from './create.ts';
import type { KubeObject } from '../port.ts';
import type { Transport } from '../transport/transport.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const target = { type: configMaps, namespace: 'shop' };
const COLLECTION = '/api/v1/namespaces/shop/configmaps';
const sent: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels: { app: 'x' } },
  data: { key: 'value' },
};
const LATER = { headers: { 'retry-after': '1' } };
const stored = { ...sent, metadata: { ...sent.metadata, uid: 'u1', resourceVersion: '7' } };

let server: ScriptedServer;
let transport: Transport;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

async function failure(promise: Promise<unknown>): Promise<AppError> {
  return promise.then(
    () => expect.unreachable('expected a rejection'),
    (error: unknown) => error as AppError,
  );
}
const asked = (): string[] => server.requests.map(({ method, path }) => `${method} ${path.slice(COLLECTION.length)}`);

describe('create', () => {
  it('is one POST when all goes well', async () => {
    server.push(json(stored, { status: 201 }));
    expect(await create(transport, target, sent, { fieldManager: 'headway' })).toEqual(stored);
    expect(server.requests[0]?.url).toBe(`${COLLECTION}?fieldManager=headway`);
  });

  it('says at once that the name is taken', async () => {
    server.push(status(409, 'AlreadyExists'));
    expect(await failure(create(transport, target, sent))).toMatchObject({ code: 'alreadyExists' });
    expect(asked()).toEqual(['POST ']);
  });
});

describe('a create whose answer was lost', () => {
  it.each([
    ['the connection broke', killed],
    ['a gateway gave up', status(504, 'Timeout')],
    ['the server failed', status(500, 'InternalError')],
    ['the server timed out and says when to ask again', status(500, 'ServerTimeout', 'x', LATER)],
    ['a gateway gave up and says when to ask again', status(504, 'Timeout', 'x', LATER)],
    ['the answer breaks off', text(JSON.stringify(stored).slice(0, 40), { status: 201 })],
    ['a proxy answered in its place', html('<html>Please wait</html>')],
    ['the answer is no object', json({ kind: 'ConfigMap' }, { status: 201 })],
  ])('is done when the object is there (%s)', async (_name, loss) => {
    server.push(loss, json(stored));
    expect(await create(transport, target, sent)).toEqual(stored);
    expect(asked()).toEqual(['POST ', 'GET /a']);
  });

  it('goes again when the object is missing', async () => {
    server.push(killed, status(404, 'NotFound'), json(stored, { status: 201 }));
    expect(await create(transport, target, sent)).toEqual(stored);
    expect(asked()).toEqual(['POST ', 'GET /a', 'POST ']);
  });

  it('recognizes its own late arrival', async () => {
    server.push(killed, status(404, 'NotFound'), status(409, 'AlreadyExists'), json(stored));
    expect(await create(transport, target, sent)).toEqual(stored);
  });

  it.each([
    ['differs', { ...stored, data: { key: 'other' } }],
    ['is being deleted', { ...stored, metadata: { ...stored.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ])('is "already exists" when what is there %s', async (_name, found) => {
    server.push(killed, json(found));
    expect(await failure(create(transport, target, sent))).toMatchObject({
      code: 'alreadyExists',
      details: { maybeDone: true },
    });
    expect(asked()).toEqual(['POST ', 'GET /a']);
  });

  it('gives up after three sendings', async () => {
    server.always(`POST ${COLLECTION}`, killed).always(`GET ${COLLECTION}/a`, status(404, 'NotFound'));
    expect(await failure(create(transport, target, sent))).toMatchObject({
      code: 'unreachable',
      details: { maybeDone: true },
    });
    expect(asked().filter((line) => line.startsWith('POST'))).toHaveLength(3);
  });

  it('reports the loss when it cannot be read back', async () => {
    server.push(killed, status(403, 'Forbidden'));
    expect(await failure(create(transport, target, sent))).toMatchObject({
      code: 'unreachable',
      details: { maybeDone: true },
    });
  });

  it('reports the loss of a generated name, which nobody knows', async () => {
    server.push(killed);
    const generated = { ...sent, metadata: { generateName: 'a-' } } as unknown as KubeObject;
    expect((await failure(create(transport, target, generated))).code).toBe('unreachable');
    expect(asked()).toEqual(['POST ']);
  });

  it('creates exactly one object when the server does and loses what it answers', async () => {
    let created = 0;
    server.push(
      lost(() => (created += 1)),
      json(stored),
    );
    await create(transport, target, sent);
    expect(created).toBe(1);
  });

  it('goes again blindly when it is a dry run', async () => {
    server.push(killed, json(stored));
    await create(transport, target, sent, { dryRun: true });
    expect(asked()).toEqual(['POST ', 'POST ']);
  });

  it('does not take an object that is there for the success of a dry run', async () => {
    server.always(`POST ${COLLECTION}`, status(500, 'InternalError')).always(`GET ${COLLECTION}/a`, json(stored));
    expect(await failure(create(transport, target, sent, { dryRun: true }))).toMatchObject({ code: 'serverError' });
  });

  it('ends with its deadline', async () => {
    server.push(silent);
    expect(await failure(create(transport, target, sent, { deadlineMs: 1000 }))).toMatchObject({
      code: 'timeout',
      details: { maybeDone: true },
    });
    expect(asked()).toEqual(['POST ']);
  });
});

describe('createText', () => {
  const named = { ...target, name: 'a' };
  const body = Buffer.from(JSON.stringify(sent));

  it('sends the text as it is, and does not care what the answer holds', async () => {
    server.push(text('{"kind":"ConfigMap","metadata":"not parsed"', { status: 201 }));
    await createText(transport, named, body, { fieldManager: 'headway' });
    expect(server.requests[0]).toMatchObject({ url: `${COLLECTION}?fieldManager=headway`, body: body.toString() });
  });

  it('reads the answer if it has in it what is looked for', async () => {
    server.push(json(stored, { status: 201 }), json(stored, { status: 201 }));
    expect(await createText(transport, named, body, { readIf: stored.metadata.name })).toEqual(stored);
    expect(await createText(transport, named, body, { readIf: 'nowhere in it' })).toBeUndefined();
    expect(server.requests[0]?.url).toBe(COLLECTION);
  });

  it('reads back what an answer that was lost, or was none of the server, may have created', async () => {
    server.push(killed, json(stored));
    await createText(transport, named, body);
    server.push(html('<html>log in</html>'), json(stored));
    await createText(transport, named, body);
    expect(asked()).toEqual(['POST ', 'GET /a', 'POST ', 'GET /a']);
    server.push(killed, json({ ...stored, data: { key: 'another' } }));
    expect(await failure(createText(transport, named, body))).toMatchObject({ code: 'alreadyExists' });
  });

  it('says at once that the name is taken', async () => {
    server.push(status(409, 'AlreadyExists'));
    expect(await failure(createText(transport, named, body))).toMatchObject({ code: 'alreadyExists' });
    expect(asked()).toEqual(['POST ']);
  });
});
