import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transportTo } from '../../../../test/kube-transport.ts';
import { html, json, killed, ScriptedServer, status, text } from '../../../../test/scripted-server/index.ts';
import type { AppError } from '../../../base/index.ts';
import type { KubeObject } from '../port.ts';
import { get, patch, patchUnread, remove, replace } from './rest.ts';
import type { Transport } from '../transport/transport.ts';

const backups = { group: 'velero.io', version: 'v1', kind: 'Backup', plural: 'backups', namespaced: true };
const target = { type: backups, namespace: 'velero', name: 'nightly' };
const PATH = '/apis/velero.io/v1/namespaces/velero/backups/nightly';
const object: KubeObject = {
  apiVersion: 'velero.io/v1',
  kind: 'Backup',
  metadata: { name: 'nightly' },
  spec: { a: 1 },
};

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

describe('get', () => {
  it('keeps unknown fields, timestamps and integers beyond 2^53', async () => {
    const raw =
      '{"kind":"Backup","apiVersion":"velero.io/v1","metadata":{"name":"nightly"},"spec":{"brandNew":9007199254740993,"at":"2026-01-01T00:00:00.123456Z"}}';
    server.push(text(raw, { headers: { 'content-type': 'application/json' } }));
    const found = await get(transport, target);
    expect(found['spec']).toEqual({ brandNew: 9007199254740993n, at: '2026-01-01T00:00:00.123456Z' });
    server.push(json(object));
    await replace(transport, target, found);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${PATH}`, `PUT ${PATH}`]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual(JSON.parse(raw));
    expect(server.requests[1]?.body).toContain('9007199254740993');
  });

  it.each([
    ['an HTML page', html('<html><h1>Log in</h1></html>'), 'an HTML page: Log in'],
    ['truncated JSON', text('{"data":{"password":"hunter2'), 'breaks off (28 characters)'],
    ['an empty body', text(''), 'an empty body'],
    ['a list', json([]), 'expected a JSON object'],
    ['an object without metadata', json({ kind: 'Backup' }), 'expected an object with kind and metadata'],
  ])('says what came when the answer is %s', async (_name, answer, said) => {
    server.push(answer);
    const error = await failure(get(transport, target));
    expect(error).toMatchObject({ code: 'badAnswer', message: expect.stringContaining(said) as string });
    expect(error.message).toContain(`GET ${PATH} at ${server.url} (test server ${server.url})`);
    expect(error.message).not.toContain('hunter2');
  });
});

describe('replace', () => {
  it('writes a subresource and passes its options', async () => {
    server.push(json(object));
    await replace(transport, target, object, {
      subresource: 'status',
      dryRun: true,
      fieldManager: 'headway',
      fieldValidation: 'Strict',
    });
    expect(server.requests[0]?.url).toBe(`${PATH}/status?dryRun=All&fieldManager=headway&fieldValidation=Strict`);
  });

  it('marks a conflict that may be the echo of its own lost write', async () => {
    server.push(killed, status(409, 'Conflict'));
    expect(await failure(replace(transport, target, object))).toMatchObject({
      code: 'conflict',
      details: { maybeDone: true },
    });
  });
});

describe('patch', () => {
  it.each([
    ['merge', 'application/merge-patch+json', ''],
    ['strategic', 'application/strategic-merge-patch+json', ''],
    ['apply', 'application/apply-patch+yaml', '?fieldManager=headway&force=true'],
  ] as const)('%s has its content type and goes again after a lost answer', async (kind, contentType, query) => {
    server.push(killed, json(object));
    const options = kind === 'apply' ? { fieldManager: 'headway', force: true } : { force: true };
    await patch(transport, target, { kind, body: { spec: { a: 2 } } }, options);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]).toMatchObject({
      method: 'PATCH',
      url: `${PATH}${query}`,
      body: '{"spec":{"a":2}}',
      headers: { 'content-type': contentType },
    });
  });

  it('is sent the same by patchUnread, which does not care what the answer holds', async () => {
    server.push(killed, text('{"kind":"Backup","metadata":"not parsed"'));
    await patchUnread(transport, target, { kind: 'merge', body: { a: 1 } }, { subresource: 'status' });
    expect(server.requests[1]).toMatchObject({
      method: 'PATCH',
      url: `${PATH}/status`,
      body: '{"a":1}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    server.push(html('<html>log in</html>'));
    const error = await failure(patchUnread(transport, target, { kind: 'merge', body: {} }));
    expect(error).toMatchObject({ code: 'badAnswer', details: { maybeDone: true } });
    expect(error.message).toContain('an HTML page: log in');
    for (const other of [{ error: 'session expired' }, { kind: 'Login' }, { metadata: {} }]) {
      server.push(json(other));
      expect((await failure(patchUnread(transport, target, { kind: 'merge', body: {} }))).message).toContain(
        'expected an object with kind and metadata',
      );
    }
    server.push(text(` ${JSON.stringify(object)}`));
    await patchUnread(transport, target, { kind: 'merge', body: {} });
  });

  it('json goes again only when it is bound to one version of the object', async () => {
    const add = { op: 'add', path: '/metadata/finalizers/-', value: 'headway.io/x' } as const;
    server.push(killed);
    const error = await failure(patch(transport, target, { kind: 'json', body: [add] }));
    expect(error).toMatchObject({ code: 'unreachable', details: { maybeDone: true } });
    const test = { op: 'test', path: '/metadata/resourceVersion', value: '5' } as const;
    server.push(killed, json(object));
    await patch(transport, target, { kind: 'json', body: [test, add] });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.headers['content-type']).toBe('application/json-patch+json');
  });
});

describe('delete', () => {
  it('sends propagation, preconditions and grace in the body', async () => {
    server.push(json({ kind: 'Status', status: 'Success' }));
    const result = await remove(transport, target, {
      propagation: 'Foreground',
      preconditions: { uid: 'u', resourceVersion: '5' },
      gracePeriodSeconds: 0,
      dryRun: true,
    });
    expect(result).toBeUndefined();
    expect(server.requests[0]?.method).toBe('DELETE');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u', resourceVersion: '5' },
      gracePeriodSeconds: 0,
      dryRun: ['All'],
    });
  });

  it('gives the object that is still held', async () => {
    const held = {
      ...object,
      metadata: { name: 'nightly', finalizers: ['x'], deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    server.push(json(held));
    expect(await remove(transport, target)).toEqual(held);
  });

  it('is done when the answer was lost and the object is gone, and not found when it never was', async () => {
    server.push(killed, status(404, 'NotFound'));
    expect(await remove(transport, target)).toBeUndefined();
    server.push(status(404, 'NotFound'));
    expect((await failure(remove(transport, target))).code).toBe('notFound');
  });
});
