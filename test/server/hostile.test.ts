import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendReply } from '../../src/server/http/reply.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';
import { Served } from './served.ts';

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string; 'x-csrf-token': string };

const log = recordingLog();
const bugs = () => log.lines.filter(({ level }) => level === 'error');

beforeAll(async () => {
  cluster = await startCluster();
  served = await Served.start(
    [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' }],
    {
      hosts: ['headway.example.org'],
      limits: { headersMs: 500, bodyMs: 500, requestsPerSecond: 1000, requestsBurst: 1000, guessesPerMinute: 30 },
    },
    log,
  );
  me = await served.byLink();
}, 60_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const status = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await served.ask(path, { headers })).status;

async function raw(text: string): Promise<Socket> {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** What comes back until the server closes. */
async function answerOf(socket: Socket): Promise<string> {
  const chunks: string[] = [];
  socket.on('data', (chunk) => chunks.push(String(chunk)));
  await once(socket, 'close');
  return chunks.join('');
}

describe('the name it is called by', () => {
  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '169.254.169.254'])(
    'is not %j',
    async (host) => {
      expect(await status('/api/operations', { ...me, host })).toBe(403);
      expect(await status('/', { host })).toBe(403);
    },
  );

  it.each(['Bearer x', 'Basic eDp5', 'x'])('is looked at also with the authorization %j', async (authorization) => {
    const asked = await served.ask('/api/operations', { headers: { host: 'evil.example', authorization } });
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('--allowed-hosts')]);
    expect(await status('/api/operations', { host: 'headway.example.org', authorization })).toBe(401);
  });

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:9', '[::1]:7443', 'headway.example.org'])(
    'may be %j',
    async (host) => {
      expect(await status('/api/operations', { ...me, host })).toBe(200);
    },
  );
});

it.skipIf(process.platform !== 'linux')('answers to the address that was connected to, and to no other', async () => {
  const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
  await using open = await Served.start(clusters, { host: '0.0.0.0', insecure: true });
  // Every address that begins with 127 is one of this machine's on Linux.
  open.url = open.url.replace('0.0.0.0', '127.0.0.2');
  const asked = async (host: string) => (await open.ask('/api/session', { headers: { host } })).status;
  expect([await asked('127.0.0.2:1'), await asked('127.0.0.3'), await asked('10.0.0.1')]).toEqual([200, 403, 403]);
});

describe('a page of another site', () => {
  const body = { metadata: { name: 'x' }, spec: {} };
  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('changes nothing with %j', async (headers) => {
    const asked = await served.ask('/api/backups', { method: 'POST', headers: { ...me, ...headers }, body });
    expect(asked.status).toBe(403);
  });

  it('is told by no header that it may read', async () => {
    const { headers } = await served.ask('/api/session', { headers: { origin: 'http://evil.example' } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflight = await served.ask('/api/backups', {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example' },
    });
    expect(preflight.status).toBeGreaterThanOrEqual(400);
  });

  it('cannot load a link that logs in, and leaves no trace by trying', async () => {
    const before = log.lines.length;
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    const frame = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    for (let at = 0; at < 40; at += 1) {
      expect(await status(`/login?code=${String(at)}`, at % 2 === 0 ? image : frame)).toBe(403);
    }
    expect(log.lines.slice(before)).toEqual([]);
    // None of them counted as a guess.
    expect(await status('/login?code=guess', {})).toBe(401);
  });

  it('cannot send a form as JSON', async () => {
    const asked = await served.ask('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"token":"x","cluster":"demo"}',
    });
    expect(asked.status).toBe(415);
  });
});

describe('a cookie', () => {
  it('that was changed in any place is none', async () => {
    const [name = '', value = ''] = me.cookie.split('=');
    for (let at = 0; at < value.length; at += 7) {
      const changed = value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1);
      expect(await status('/api/operations', { cookie: `${name}=${changed}` })).toBe(401);
    }
    for (const cookie of ['', '=', name, `${name}=`, `${name}=%00`, `a=b; ${name}=;;;`]) {
      expect(await status('/api/operations', { cookie })).toBe(401);
    }
  });
});

describe('a body', () => {
  it('that is too large is refused before it is read', async () => {
    const big = JSON.stringify({ metadata: { name: 'x' }, spec: { labels: 'x'.repeat(1024 * 1024) } });
    const { status: code } = await served.ask('/api/backups', { method: 'POST', headers: me, body: big });
    expect(code).toBe(413);
    const socket = await raw(
      `POST /api/backups HTTP/1.1\r\nhost: localhost\r\ncookie: ${me.cookie}\r\nx-csrf-token: ${me['x-csrf-token']}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    const answer = answerOf(socket);
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    for (let sent = 0; sent < 20; sent += 1) socket.write(chunk);
    expect(await answer).toContain('413');
  });

  it('that is no JSON, or nested without end, is refused', async () => {
    const ask = async (body: string) =>
      (await served.ask('/api/backups', { method: 'POST', headers: me, body })).status;
    expect(await ask('{')).toBe(400);
    expect(await ask('[]')).toBe(422);
    for (const depth of [300, 50_000, 150_000]) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      expect(await ask(`{"metadata":{"name":"x"},"spec":${nested}}`)).toBe(400);
      expect(
        await ask(`{"metadata":{"name":"x"},"spec":${nested.replaceAll('[', '{"a":').replaceAll(']', '}')}}`),
      ).toBe(400);
      expect(await ask('['.repeat(depth))).toBe(400);
    }
    // Brackets in a text are no nesting, and a text without an end is no reason to read it twice.
    const text = JSON.stringify({ metadata: { name: 'texts', annotations: { a: '[{"'.repeat(1000) } }, spec: {} });
    expect(await ask(text)).toBe(201);
    expect(await ask(`"${'\\"'.repeat(400_000)}`)).toBe(400);
    expect(bugs()).toEqual([]);
    expect(await ask('{"metadata":{"name":"x"},"__proto__":{"spec":{}},"constructor":1}')).toBeLessThan(500);
  });

  it('that does not come is not waited for', async () => {
    const socket = await raw(
      `POST /api/backups HTTP/1.1\r\nhost: localhost\r\ncookie: ${me.cookie}\r\nx-csrf-token: ${me['x-csrf-token']}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    await answerOf(socket);
    expect(socket.destroyed).toBe(true);
  });

  it('that breaks off is no bug of ours', async () => {
    const head =
      `POST /api/backups HTTP/1.1\r\nhost: localhost\r\ncookie: ${me.cookie}\r\nx-csrf-token: ${me['x-csrf-token']}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{';
    const answered = async (): Promise<number> => {
      const { text } = await served.ask('/metrics', { headers: me });
      const counts = text.matchAll(/^headway_http_requests_total\{route="\/api\/backups",method="POST".*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await answered();
    for (let at = 0; at < 5; at += 1) {
      const socket = await raw(head);
      setTimeout(() => socket.resetAndDestroy(), 20);
      await once(socket, 'close');
    }
    await eventually(async () => {
      expect(await answered()).toBe(before + 5);
    });
    expect(bugs()).toEqual([]);
  });
});

it('does not wait for headers that do not come', async () => {
  const socket = await raw('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
  expect(await answerOf(socket)).toMatch(/^(HTTP\/1.1 408|$)/);
});

describe('odd requests', () => {
  it.each([
    'GET http://evil.example/api/session HTTP/1.1\r\nhost: localhost',
    'GET //evil.example/api HTTP/1.1\r\nhost: localhost',
    'GET /api/operations HTTP/1.1',
    'GET /api/operations/%zz HTTP/1.1\r\nhost: localhost',
    'GET /login?code=%0d%0aset-cookie:%20a=b HTTP/1.1\r\nhost: localhost',
    'PROPFIND /api/operations HTTP/1.1\r\nhost: localhost',
    'TRACE / HTTP/1.1\r\nhost: localhost',
    'GET /api/\0 HTTP/1.1\r\nhost: localhost',
    'GET / HTTP/1.1\r\nhost: localhost\r\nx: LONG',
    'POST /api/logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0',
  ])('%j is answered with a refusal and nothing else', async (head) => {
    const answer = await answerOf(
      await raw(`${head.replace('LONG', 'x'.repeat(40_000))}\r\nconnection: close\r\n\r\n`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toMatch(/^set-cookie: a/im);
    expect(answer).not.toMatch(/node:|\.ts:\d/);
  });

  it.each(['/api/operations/..%2f..%2fetc', '/api/backups/demo.pod.a.b/contents', '/api/operations/demo.backup..%2fx'])(
    '%s is not found or not understood',
    async (path) => {
      expect([400, 403, 404]).toContain(await status(path, me));
    },
  );
});

describe('a reader that takes nothing', () => {
  const stuck = 8 * 1024 ** 2;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield await Promise.resolve(new Uint8Array(64 * 1024));
  }

  it.each([
    ['a body', { text: 'x'.repeat(stuck) }],
    ['a stream', { stream: endless() }],
  ])('is cut off in the middle of %s', async (_, reply) => {
    const ended = Promise.withResolvers<boolean>();
    const http = createServer((request, response) => {
      response.once('close', () => {
        ended.resolve(response.writableFinished);
      });
      void sendReply(response, reply, { isHead: request.method === 'HEAD', stuckMs: 200 });
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await ended.promise).toBe(false);
    socket.destroy();
    http.close();
  });
});

it('has a limit to guessing, which the right link does not feel', async () => {
  const before = log.lines.length;
  const codes: number[] = [];
  for (let at = 0; at < 100; at += 1) codes.push(await status('/login?code=guess', {}));
  expect(codes).toContain(401);
  const { status: last, headers } = await served.ask('/login?code=guess');
  expect([last, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  const inBrowser = await served.ask('/login?code=guess', { headers: { accept: 'text/html' } });
  expect(inBrowser.headers.location).toBe('/?login=refused');
  expect(log.lines.slice(before).length).toBeLessThan(40);
  const link = new URL(served.server.loginLink());
  expect(await served.ask(link.pathname + link.search)).toMatchObject({ status: 303, headers: { location: '/' } });
});

it('refuses to listen beyond this machine without TLS', async () => {
  const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
  await expect(Served.start(clusters, { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'invalidConfig' });
});

it('says what to do when another program has its address', async () => {
  const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
  await expect(Served.start(clusters, { port: Number(new URL(served.url).port) })).rejects.toMatchObject({
    message: expect.stringContaining('another program listens there already') as string,
    details: { hint: expect.stringContaining('--listen 127.0.0.1:0') as string },
  });
});
