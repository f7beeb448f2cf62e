import { afterEach, beforeEach, expect, it } from 'vitest';
import { impatientClock } from '../../../test/kube-transport.ts';
import { json, makeAuthority, ScriptedServer, text } from '../../../test/scripted-server/index.ts';
import { NO_LOG } from '../../base/index.ts';
import { createKubeClient, type KubeClient, type KubeObject } from './index.ts';
import { staticCredential } from './config/credentials.ts';

const authority = makeAuthority();
const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const target = { type, namespace: 'shop', name: 'a' };
const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

let server: ScriptedServer;
let kube: KubeClient;
beforeEach(async () => {
  server = await ScriptedServer.start({ tls: authority.issue({ commonName: 'x', hosts: ['127.0.0.1'] }) });
  kube = createKubeClient(
    { clock: impatientClock, random: () => 0, log: NO_LOG, userAgent: 'headway-test' },
    {
      label: 'test',
      server: server.url,
      namespace: 'default',
      tls: { insecure: false, ca: authority.ca },
      credentials: staticCredential({ authorization: 'Bearer t' }),
      headers: {},
    },
  );
});
afterEach(async () => {
  await kube.close();
  await server.stop();
});

it('offers every call of the port over one connection setup', async () => {
  const list = { kind: 'ConfigMapList', metadata: { resourceVersion: '7' }, items: [object] };
  const event = { type: 'ADDED', object: { ...object, metadata: { name: 'a', resourceVersion: '8' } } };
  server.push(json(object), json(list), text(`${JSON.stringify(event)}\n`));
  expect(await kube.get(target)).toEqual(object);
  for await (const page of kube.list({ type })) expect([...page.items]).toEqual([object]);
  for await (const one of kube.watch({ type })) expect(one).toMatchObject({ type: 'ADDED', resourceVersion: '8' });

  server.push(json(object), json(object), json(object), json({ kind: 'Status', status: 'Success' }));
  await kube.create(target, object);
  await kube.replace(target, object);
  await kube.patch(target, { kind: 'merge', body: {} });
  expect(await kube.delete(target)).toBeUndefined();

  server
    .on('GET /api', json({ kind: 'APIVersions', versions: [] }))
    .on('GET /apis', json({ kind: 'APIGroupList', groups: [] }));
  expect(await kube.discover()).toEqual({ resources: [], failures: [] });
  // The end of a log is trusted only after two readings.
  server.always('GET /api/v1/namespaces/shop/pods/p/log', text('2026-01-01T00:00:00.000000001Z hello\n'));
  for await (const line of kube.logs({ namespace: 'shop', name: 'p' })) expect(line.line).toBe('hello');

  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/namespaces/shop/configmaps/a',
    'GET /api/v1/configmaps',
    'GET /api/v1/configmaps',
    'POST /api/v1/namespaces/shop/configmaps',
    'PUT /api/v1/namespaces/shop/configmaps/a',
    'PATCH /api/v1/namespaces/shop/configmaps/a',
    'DELETE /api/v1/namespaces/shop/configmaps/a',
    expect.stringMatching(/^GET \/apis?$/),
    expect.stringMatching(/^GET \/apis?$/),
    'GET /api/v1/namespaces/shop/pods/p/log',
    'GET /api/v1/namespaces/shop/pods/p/log',
  ]);
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer t']));
});

it('runs commands, and says when there is no such pod', async () => {
  await expect(
    kube.exec({ namespace: 'shop', name: 'p' }, { command: ['ls'], deadlineMs: 5000 }),
  ).rejects.toMatchObject({
    message: expect.stringContaining('/api/v1/namespaces/shop/pods/p/exec') as string,
  });
});

it('drops its connections when it is closed', async () => {
  server.push(json(object));
  await kube.get(target);
  expect(server.openConnections).toBeGreaterThan(0);
  await kube.close();
  await expect(kube.get(target)).rejects.toMatchObject({ code: 'unreachable' });
});
