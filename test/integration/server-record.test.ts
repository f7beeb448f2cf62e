import { readdirSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
const dryRun = () => cluster.home.run('backup', 'create', 'x', '--dry-run', '--kubeconfig', cluster.kubeconfig);
const token = () => /token: (\S+)/.exec(readFileSync(cluster.kubeconfig, 'utf8'))?.[1] ?? '';

/** Started, and written down. */
async function serve(...flags: string[]): Promise<{ running: Running; record: ServerRecord }> {
  const known = records().map(({ url }) => url);
  const running = await cluster.serve(...flags);
  const record = await eventually(() => {
    const found = records().find(({ url }) => !known.includes(url));
    if (found === undefined) throw new Error(`no record of the server: ${running.err}`);
    return found;
  });
  return { running, record };
}

async function stop({ running }: { running: Running }, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  running.child.kill(signal);
  const { code } = await running.finished();
  expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
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

const ask = async (
  { record }: { record: ServerRecord },
  path: string,
  headers: Record<string, string>,
  body?: object,
) =>
  await fetch(`${record.url}${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
const operations = async (of: { record: ServerRecord }, cookie: string) =>
  (await ask(of, '/api/operations', { cookie })).status;

/** One story, because each server takes seconds to start. */
it(
  'leads commands to a server that runs and to nobody else, and sessions live as long as the key',
  {
    timeout: 60_000,
  },
  async () => {
    const killed = await serve();
    expect((await dryRun()).code).toBe(0);
    // A dry run needs no name.
    const bearer = { authorization: `Bearer ${token()}` };
    expect((await ask(killed, '/api/plan', bearer, { kind: 'Backup', spec: {} })).status).toBe(200);
    const login = await ask(killed, '/api/login', {}, { cluster: 'pocket-served', token: token() });
    const cookie = login.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    await stop(killed, 'SIGKILL');
    using other = await listener(Number(new URL(killed.record.url).port));
    const { code, err } = await dryRun();
    expect(other.heard).toEqual([]);
    expect([code, err]).toEqual([5, expect.stringContaining('none is known on this machine')]);

    const first = await serve();
    expect(await operations(first, cookie)).toBe(200);
    const second = await serve('--rotate-keys');
    expect(await operations(second, cookie)).toBe(401);
    await stop(second, 'SIGTERM');
    expect(records().map(({ url }) => url)).toEqual([first.record.url]);
    expect((await dryRun()).code).toBe(0);
    await stop(first, 'SIGTERM');
    // What the killed one left was removed when the next one started.
    expect(readdirSync(join(home(), 'servers'))).toEqual([]);
    const modes = ['servers', 'server/key'].map((path) => statSync(join(home(), path)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  },
);

it('sends no token to a server that cannot prove that it wrote the record', async () => {
  using other = await listener(0);
  using _ = new ServerRecords(home()).add('other', {
    url: `http://127.0.0.1:${String(other.port)}`,
    clusters: ['pocket-served'],
    proofKey: new Uint8Array(32).fill(1),
    startedAt: new Date().toISOString(),
  });
  const { code, err } = await dryRun();
  expect([code, err]).toEqual([5, expect.stringContaining('it cannot prove it')]);
  expect(other.heard.length).toBeGreaterThan(0);
  expect(other.heard.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
});
