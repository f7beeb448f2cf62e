import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverClient } from '../../src/main/server-client.ts';
import { ServerRecords, type ServerRecord } from '../../src/main/serve/server-records.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { servedPocket, type ServedCluster } from '../served-cluster.ts';

let cluster: ServedCluster;
beforeAll(async () => {
  cluster = await servedPocket();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const home = () => join(cluster.home.path, 'state');
const records = () => new ServerRecords(home()).running();
/** What a command asks the server that it finds on this machine, with the user's token. */
async function ask(): Promise<unknown> {
  const env = { KUBECONFIG: cluster.kubeconfig };
  const { signal } = new AbortController();
  const found = await serverClient({}, { home: home(), env, signal, tell: () => undefined });
  return await found?.ask({ method: 'GET', path: '/api/operations', cluster: 'pocket-served' });
}
const token = () => /token: (\S+)/.exec(readFileSync(cluster.kubeconfig, 'utf8'))?.[1] ?? '';

/** Started, and written down. */
async function serve(...flags: string[]): Promise<{ running: Running; record: ServerRecord }> {
  const known = records().map(({ url }) => url);
  const running = await cluster.serve(...flags);
  // The location may be available from the server before.
  const record = await eventually(
    () => {
      const found = records().find(({ url }) => !known.includes(url));
      if (found === undefined) throw new Error(`no record of the server: ${running.err}`);
      return found;
    },
    { withinMs: 30_000 },
  );
  return { running, record };
}

async function stop({ running }: { running: Running }, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  running.child.kill(signal);
  const { code } = await running.finished();
  // 130 is one that was stopped while it still started.
  expect(signal === 'SIGTERM' ? [0, 130] : [null]).toContain(code);
}

/** Another program that wants the token: it answers as a Headway server would. */
async function listener(port: number) {
  const heard: IncomingHttpHeaders[] = [];
  const clusters = [{ name: 'pocket-served', login: 'token', namespace: 'velero', isWatched: true }];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    response.end(JSON.stringify({ version: '1', clusters, proof: 'x' }));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    heard,
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const send = async (
  { record }: { record: ServerRecord },
  path: string,
  headers: Record<string, string>,
  body?: object,
) =>
  await fetch(`${record.url}${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

/** One story, because each server takes seconds to start. */
it('leads commands to a server that runs and to nobody else, and sessions end with the key', async () => {
  const killed = await serve();
  expect(await ask()).toHaveProperty('operations');
  // A dry run needs no name.
  const bearer = { authorization: `Bearer ${token()}` };
  expect((await send(killed, '/api/plan', bearer, { kind: 'Backup', spec: {} })).status).toBe(200);
  const login = await send(killed, '/api/login', {}, { cluster: 'pocket-served', token: token() });
  const cookies = login.headers.getSetCookie().map((each) => each.split(';')[0]);
  const operations = async (of: { record: ServerRecord }) =>
    (await send(of, '/api/operations', { cookie: cookies.join('; ') })).status;
  expect(await operations(killed)).toBe(200);
  await stop(killed, 'SIGKILL');
  using other = await listener(Number(new URL(killed.record.url).port));
  expect(await ask()).toBeUndefined();
  expect(other.heard).toEqual([]);

  const next = await serve('--rotate-keys');
  expect(await ask()).toHaveProperty('operations');
  expect(await operations(next)).toBe(401);
  await stop(next, 'SIGTERM');
  // What the killed one left was removed when the next one started.
  expect(readdirSync(join(home(), 'servers'))).toEqual([]);
}, 60_000);

it('sends no token to a server that cannot prove that it wrote the record', async () => {
  using other = await listener(0);
  using _ = new ServerRecords(home()).add('other', {
    url: `http://127.0.0.1:${String(other.port)}`,
    clusters: ['pocket-served'],
    proofKey: new Uint8Array(32).fill(1),
    startedAt: new Date().toISOString(),
  });
  await expect(ask()).rejects.toMatchObject({ code: 'untrusted', message: expect.stringContaining('prove') as string });
  expect(other.heard.length).toBeGreaterThan(0);
  expect(other.heard.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
});
