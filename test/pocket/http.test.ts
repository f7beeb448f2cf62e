import { once } from 'node:events';
import { connect } from 'node:tls';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { PocketFixture } from './pocket-fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

let fixture: PocketFixture;
beforeAll(async () => {
  fixture = await PocketFixture.start();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const create = (name: string, data: Record<string, string> = {}): Promise<{ code: number }> =>
  fixture.ask(MAPS, { method: 'POST', body: { metadata: { name }, data } });

describe('who may come in', () => {
  it('a client certificate instead of a token', async () => {
    const file = readFileSync(join(fixture.dir, 'credentials.json'), 'utf8');
    const { adminCert, adminKey } = JSON.parse(file) as { adminCert: string; adminKey: string };
    const dispatcher = new Agent({ connect: { ca: fixture.pocket.ca, cert: adminCert, key: adminKey } });
    const answer = await request(`${fixture.pocket.url}${MAPS}`, { dispatcher });
    expect(answer.statusCode).toBe(200);
    await answer.body.dump();
    await dispatcher.destroy();
  });

  it('a service account by a token it was given, until the account is gone', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await fixture.ask(accounts, { method: 'POST', body: { metadata: { name: 'bot' } } });
    const issued = await fixture.ask(`${accounts}/bot/token`, { method: 'POST', body: { spec: {} } });
    expect(issued).toMatchObject({ code: 201, body: { kind: 'TokenRequest', spec: { expirationSeconds: 3600 } } });
    const { token } = (issued.body as { status: { token: string } }).status;
    expect((await fixture.ask(MAPS, { token })).code).toBe(200);
    const review = { method: 'POST', body: { spec: { token } } };
    expect((await fixture.ask('/apis/authentication.k8s.io/v1/tokenreviews', review)).body).toMatchObject({
      status: { authenticated: true, user: { username: 'system:serviceaccount:default:bot' } },
    });
    const [header = '', payload = '', signature = ''] = token.split('.');
    const other = Buffer.from(payload, 'base64url').toString().replace('"bot"', '"default"');
    const forged = [header, Buffer.from(other).toString('base64url'), signature].join('.');
    expect((await fixture.ask(MAPS, { token: forged })).code).toBe(401);
    await fixture.ask(`${accounts}/bot`, { method: 'DELETE' });
    expect((await fixture.ask(MAPS, { token })).code).toBe(401);
  });

  it('nobody without either, except to ask for health and version', async () => {
    expect((await fixture.ask('/api', { token: '' })).code).toBe(401);
    expect((await fixture.ask('/readyz', { token: '' })).code).toBe(200);
    expect((await fixture.ask('/version', { token: '' })).body).toMatchObject({ major: '1' });
  });
});

describe('what is not served, and says so', () => {
  it.each([
    ['server-side apply', { method: 'PATCH', type: 'application/apply-patch+yaml', path: `${MAPS}/nothing` }, 415],
    ['a CBOR patch', { method: 'PATCH', type: 'application/apply-patch+cbor', path: `${MAPS}/nothing` }, 415],
    ['a CBOR body', { method: 'POST', type: 'application/cbor', path: MAPS }, 415],
    ['a YAML body', { method: 'POST', type: 'application/yaml', path: MAPS }, 415],
    ['a verb a kind does not have', { method: 'PUT', type: 'application/json', path: MAPS }, 405],
  ])('%s', async (_what, { method, type, path }, code) => {
    const body = method === 'GET' ? {} : { body: '{}' };
    expect((await fixture.ask(path, { method, headers: { 'content-type': type }, ...body })).code).toBe(code);
  });

  it('an answer in CBOR', async () => {
    expect((await fixture.ask(MAPS, { headers: { accept: 'application/cbor' } })).code).toBe(406);
  });

  it.each(['exec', 'attach', 'log', 'portforward'])('%s of a pod', async (subresource) => {
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await fixture.ask(pods, { method: 'POST', body: { metadata: { name: 'p' }, spec } });
    const seen = await eventually(async () => {
      const answer = await fixture.ask(`${pods}/p/${subresource}?command=ls`);
      // Until it has a node there is nobody to ask.
      expect(answer.code).toBe(501);
      return answer;
    });
    expect(seen.body['message']).toContain('pods of this pocket cluster are simulated');
    expect((await fixture.ask(`${pods}/missing/${subresource}`)).code).toBe(404);
  });
});

describe('watches', () => {
  it('follows from the version of a list on', async () => {
    const list = await fixture.ask(MAPS);
    const { resourceVersion } = list.body['metadata'] as { resourceVersion: string };
    await create('followed');
    for await (const { type, object } of fixture.watch(`${MAPS}?watch=true&resourceVersion=${resourceVersion}`)) {
      expect(type).toBe('ADDED');
      expect(object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'followed' } });
      break;
    }
  });

  it('ends when its time is up', async () => {
    const seen: string[] = [];
    for await (const { type } of fixture.watch(`${MAPS}?watch=true&resourceVersion=0&timeoutSeconds=1`))
      seen.push(type);
    expect(new Set(seen)).toEqual(new Set(['ADDED']));
  });

  it('begins with more than a client takes at once', async () => {
    const data = { a: 'x'.repeat(900_000) };
    const names = Array.from({ length: 12 }, (_, i) => `first-${i}`);
    const { resourceVersion } = (await fixture.ask(MAPS)).body['metadata'] as { resourceVersion: string };
    for (const name of names) await create(name, data);
    const all = `${MAPS}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
    for (const path of [all, `${MAPS}?watch=true&resourceVersion=${resourceVersion}`]) {
      const seen = new Set<string>();
      for await (const { type, object } of fixture.watch(path)) {
        if (type === 'ADDED') seen.add((object['metadata'] as { name: string }).name);
        if (type === 'BOOKMARK' || (path !== all && seen.size === names.length)) break;
      }
      expect([...seen]).toEqual(expect.arrayContaining(names));
    }
    for (const name of names) await fixture.ask(`${MAPS}/${name}`, { method: 'DELETE' });
  });

  it('cuts off a client that does not read, and nobody else', async () => {
    const { hostname, port } = new URL(fixture.pocket.url);
    const socket = connect({
      host: hostname,
      port: Number(port),
      ca: fixture.pocket.ca,
      checkServerIdentity: () => undefined,
    });
    const closed = once(socket, 'close');
    const head = `GET ${MAPS}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.pocket.token}\r\n\r\n`;
    await once(socket, 'secureConnect');
    socket.write(head);
    await once(socket, 'readable');
    socket.pause();
    // More than the sockets' own buffers hold, so that the server has to keep it.
    for (let i = 0; i < 30; i += 1) expect((await create(`large-${i}`, { a: 'x'.repeat(900_000) })).code).toBe(201);
    socket.resume();
    await closed;
    expect((await fixture.ask('/readyz')).code).toBe(200);
    for (let i = 0; i < 30; i += 1) await fixture.ask(`${MAPS}/large-${i}`, { method: 'DELETE' });
  });
});

describe('answers', () => {
  it('keeps integers beyond 2^53 and fields it does not know', async () => {
    const body = '{"metadata":{"name":"big","annotations":{"a":"b"}},"data":{},"future":{"limit":9007199254740993}}';
    const created = await fixture.ask(MAPS, { method: 'POST', body });
    expect(created.headers['warning']).toContain('unknown field \\"future\\"');
    const read = await fixture.ask(`${MAPS}/big`);
    expect(read.text).toContain('"future":{"limit":9007199254740993}');
  });

  it('blames nobody for unknown fields that are there already', async () => {
    const strict = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    const patched = await fixture.ask(`${MAPS}/big?fieldValidation=Strict`, { ...strict, body: { data: { a: '2' } } });
    expect(patched.code).toBe(200);
    expect(patched.headers['warning']).toBeUndefined();
    const other = await fixture.ask(`${MAPS}/big?fieldValidation=Strict`, { ...strict, body: { other: 1 } });
    expect(other.code).toBe(400);
    expect(other.body['message']).toMatch(/strict decoding error: unknown field "other"$/);
  });

  it('keeps fields whose names JavaScript gives to every object', async () => {
    const name = (at: string): string => `{"metadata":{"name":"${at}","__proto__":{"name":"x","finalizers":["a/b"]}}`;
    const map = await fixture.ask(MAPS, { method: 'POST', body: `${name('proto')},"data":{"__proto__":"1"}}` });
    expect(map.body['metadata']).toMatchObject({ name: 'proto' });
    expect(map.text).toContain('"data":{"__proto__":"1"}');
    expect(await fixture.ask(`${MAPS}/proto`, { method: 'DELETE' })).toMatchObject({ body: { status: 'Success' } });
    const inherited = await fixture.ask(MAPS, { method: 'POST', body: '{"metadata":{"__proto__":{"name":"x"}}}' });
    expect(inherited.code).toBe(422);
    const about = '"involvedObject":{"namespace":"default"},"constructor":{"a":1},"__proto__":{"b":2}}';
    await fixture.ask('/api/v1/namespaces/default/events', { method: 'POST', body: `${name('event')},${about}` });
    const event = await fixture.ask('/apis/events.k8s.io/v1/namespaces/default/events/event');
    expect(event.text).toContain('"constructor":{"a":1},"__proto__":{"b":2}');
  });

  it('does not keep what a dry run writes', async () => {
    const created = await fixture.ask(`${MAPS}?dryRun=All`, { method: 'POST', body: { metadata: { name: 'dry' } } });
    expect(created.code).toBe(201);
    expect((await fixture.ask(`${MAPS}/dry`)).code).toBe(404);
    expect((await fixture.ask(`${MAPS}/big?dryRun=All`, { method: 'DELETE' })).code).toBe(200);
    expect((await fixture.ask(`${MAPS}/big`)).code).toBe(200);
  });

  it('shows HTTP clients what the client in the process wrote', async () => {
    const metadata = { name: 'inside', namespace: 'default' };
    await fixture.pocket.client.create(CONFIG_MAPS, { metadata, data: { a: '1' } });
    expect((await fixture.ask(`${MAPS}/inside`)).body['data']).toEqual({ a: '1' });
  });

  it('binds and evicts pods', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await fixture.ask(pods, { method: 'POST', body: { metadata: { name: 'bound' }, spec } });
    const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n1' } };
    expect((await fixture.ask(`${pods}/bound/binding`, { method: 'POST', body: binding })).code).toBe(201);
    expect((await fixture.ask(`${pods}/bound`)).body['spec']).toMatchObject({ nodeName: 'n1' });
    const eviction = { metadata: { name: 'bound' }, deleteOptions: { gracePeriodSeconds: 0 } };
    expect((await fixture.ask(`${pods}/bound/eviction`, { method: 'POST', body: eviction })).code).toBe(201);
    expect((await fixture.ask(`${pods}/bound`)).code).toBe(404);
  });
});
