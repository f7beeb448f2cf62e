import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { eventually } from '../../../../test/eventually.ts';
import { impatientClock, transportTo } from '../../../../test/kube-transport.ts';
import * as scripted from '../../../../test/scripted-server/index.ts';
import { NO_LOG, type AppError, type Clock } from '../../../base/index.ts';
import type { Connection } from '../config/connection.ts';
import { staticCredential } from '../config/credentials.ts';
import { createTransport } from './undici-transport.ts';
import type { Transport } from './transport.ts';

const { json, killed, lost, silent, status, Streaming } = scripted;

let server: scripted.ScriptedServer;
let transport: Transport;
beforeEach(async () => {
  server = await scripted.ScriptedServer.start();
  transport = transportTo(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

function connect(connection: Partial<Connection>, clock: Clock = impatientClock): Transport {
  return createTransport(
    { clock, random: () => 0, log: NO_LOG, userAgent: 'headway-test' },
    {
      label: 'context "test" of /kubeconfig',
      server: server.url,
      namespace: 'default',
      tls: { insecure: false },
      credentials: staticCredential({}),
      headers: {},
      ...connection,
    },
  );
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  return promise.then(
    () => expect.unreachable('expected a rejection'),
    (error: unknown) => error as AppError,
  );
}

const GET = { method: 'GET', path: '/api/v1/pods' } as const;
const POST = { method: 'POST', path: '/api/v1/pods', body: '{}' } as const;

describe('a request', () => {
  it('carries method, path below the prefix, query, headers and body', async () => {
    const prefixed = connect({
      server: `${server.url}/k8s/clusters/c-1`,
      credentials: staticCredential({ authorization: 'Bearer t' }),
      headers: { 'impersonate-user': 'eve', 'impersonate-group': ['a', 'b'] },
    });
    server.push(json({ ok: true }));
    await prefixed.request({ ...POST, body: '{"a":1}', query: { limit: 5, dryRun: undefined, command: ['a b', 'c'] } });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: '/k8s/clusters/c-1/api/v1/pods?limit=5&command=a+b&command=c',
      body: '{"a":1}',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'headway-test',
        authorization: 'Bearer t',
        'impersonate-user': 'eve',
        'impersonate-group': 'a, b',
      },
    });
    await prefixed.close();
  });

  it('uses its connections again', async () => {
    server.always('*', json({}));
    for (let i = 0; i < 20; i += 1) await transport.request(GET);
    expect(server.connections).toBeLessThan(4);
  });

  it.each([
    { where: 'of its own machine for plain ones', compress: undefined, encoding: 'identity' },
    { where: 'behind a slow line for gzip', compress: true, encoding: 'gzip' },
  ])('asks a server $where', async ({ compress, encoding }) => {
    server.push(json({}));
    const asking = connect(compress === undefined ? {} : { compress });
    await asking.request(GET);
    expect(server.requests[0]?.headers['accept-encoding']).toBe(encoding);
    await asking.close();
  });

  it('reads gzip answers', async () => {
    server.push(scripted.gzipped({ text: 'x'.repeat(100_000) }));
    expect((await transport.request(GET)).text).toHaveLength(100_011);
  });

  it.each([
    ['plain', json({ text: 'x'.repeat(5000) })],
    ['compressed', scripted.gzipped({ text: 'x'.repeat(5000) })],
  ])('refuses a %s answer longer than the limit', async (_name, answer) => {
    server.push(answer);
    const error = await failure(transport.request({ ...GET, maxBytes: 4096 }));
    expect(error).toMatchObject({
      code: 'tooLarge',
      message: expect.stringContaining('longer than 4.0 KiB') as string,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('does not wait for a connection that a stream holds', async () => {
    const streams = Array.from({ length: 100 }, () => new Streaming());
    server.push(...streams.map((stream) => stream.answer), json({ ok: true }));
    const open = await Promise.all(streams.map(() => transport.stream(GET)));
    expect((await transport.request(GET)).text).toBe('{"ok":true}');
    for (const stream of open) stream.close();
  });
});

describe('errors of answers', () => {
  it.each([
    [400, 'BadRequest', 'invalid'],
    [401, 'Unauthorized', 'unauthenticated'],
    [403, 'Forbidden', 'forbidden'],
    [404, 'NotFound', 'notFound'],
    [405, 'MethodNotAllowed', 'unsupported'],
    [409, 'Conflict', 'conflict'],
    [409, 'AlreadyExists', 'alreadyExists'],
    [410, 'Expired', 'gone'],
    [413, 'RequestEntityTooLarge', 'tooLarge'],
    [415, 'UnsupportedMediaType', 'unsupported'],
    [422, 'Invalid', 'invalid'],
  ])('%i %s is %s, once, with the Status in its details', async (code, reason, expected) => {
    server.push(status(code, reason, 'because', { details: { name: 'a' } }));
    const error = await failure(transport.request(GET));
    expect(error).toMatchObject({
      code: expected,
      message: expect.stringContaining(`${server.url} answered ${String(code)}: because`) as string,
      details: { httpStatus: code, status: { reason, details: { name: 'a' } } },
    });
    expect(error.message).toMatch(/^GET \/api\/v1\/pods/);
    expect(server.requests).toHaveLength(1);
  });

  it('429 TooManyRequests is throttled after many attempts, because only the queue is long', async () => {
    server.always('*', status(429, 'TooManyRequests'));
    expect(await failure(transport.request(GET))).toMatchObject({ code: 'throttled', details: { httpStatus: 429 } });
    expect(server.requests).toHaveLength(50);
  });

  it.each([
    [500, 'InternalError', 'serverError'],
    [503, 'ServiceUnavailable', 'serverError'],
    [504, 'Timeout', 'timeout'],
  ])('%i %s is %s after five attempts', async (code, reason, expected) => {
    server.always('*', status(code, reason));
    expect(await failure(transport.request(GET))).toMatchObject({ code: expected, details: { httpStatus: code } });
    expect(server.requests).toHaveLength(5);
  });

  it('quotes an HTML page without its markup', async () => {
    server.push(scripted.html('<html><style>x{}</style><h1>Please</h1> log in</html>', { status: 403 }));
    const { message } = await failure(transport.request(GET));
    expect(message).toMatch(/answered 403: an HTML page: Please log in$/);
    // The answer did not come from an API server, so the reader must learn which file led there.
    expect(message).toContain(`(test server ${server.url})`);
  });

  it('names the target of a redirect', async () => {
    server.push(scripted.text('', { status: 302, headers: { location: 'https://login.example' } }));
    const error = await failure(transport.request(GET));
    expect(error).toMatchObject({
      code: 'badAnswer',
      message: expect.stringMatching(/302: a redirect to https:\/\/login.example$/) as string,
    });
  });

  it('names file and context when the token is refused', async () => {
    const named = connect({});
    server.push(status(401, 'Unauthorized', 'Unauthorized'));
    expect((await failure(named.request(GET))).message).toContain('as context "test" of /kubeconfig');
    await named.close();
  });
});

describe('broken connections', () => {
  it('are tried again for a GET', async () => {
    server.push(killed, scripted.truncated({ a: 'long enough' }, 5), json({ ok: true }));
    expect((await transport.request(GET)).text).toBe('{"ok":true}');
  });

  it('are unreachable after five attempts', async () => {
    server.always('*', killed);
    const error = await failure(transport.request(GET));
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/the connection to .* broke before the answer was complete/);
    expect(server.requests).toHaveLength(5);
  });

  it('are not tried again for a POST, which may have been carried out', async () => {
    server.push(killed);
    expect(await failure(transport.request(POST))).toMatchObject({ code: 'unreachable', details: { maybeDone: true } });
    expect(server.requests).toHaveLength(1);
  });

  it('leave their mark on what a repeated request meets', async () => {
    server.push(
      lost(() => undefined),
      status(404, 'NotFound'),
    );
    const error = await failure(transport.request({ method: 'DELETE', path: '/x' }));
    expect(error).toMatchObject({ code: 'notFound', details: { maybeDone: true, httpStatus: 404 } });
  });

  it('are tried again for a POST when nothing was sent', async () => {
    const closed = await scripted.ScriptedServer.start();
    const { url } = closed;
    await closed.stop();
    const waits: number[] = [];
    const refused = connect(
      { server: url },
      {
        now: () => 0,
        uptime: () => 0,
        sleep: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
      },
    );
    const error = await failure(refused.request(POST));
    expect(error).toMatchObject({ code: 'unreachable', details: { maybeDone: false } });
    expect(error.message).toContain(`cannot reach ${url} (context "test" of /kubeconfig): connect ECONNREFUSED`);
    expect(waits).toEqual([50, 100, 200, 400]);
    await refused.close();
  });

  it('name a host that does not exist', async () => {
    const nowhere = connect({ server: 'http://no-such-host.invalid:1' });
    const error = await failure(nowhere.request(GET));
    expect(error).toMatchObject({ code: 'unreachable', details: { maybeDone: false } });
    expect(error.message).toMatch(/no-such-host\.invalid/);
    await nowhere.close();
  });
});

describe('a server that asks for patience', () => {
  it('is given the seconds of Retry-After, also for a POST', async () => {
    const clock = new FakeClock();
    const patient = connect({}, clock);
    server.push(status(429, 'TooManyRequests', 'slow down', { headers: { 'retry-after': '7' } }), json({ ok: true }));
    const pending = patient.request(POST);
    await eventually(() => {
      expect(clock.sleeping).toBe(1);
    });
    await clock.advance(6999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1000);
    expect((await pending).text).toBe('{"ok":true}');
    await patient.close();
  });

  it('is asked again at once by nobody: a 503 with Retry-After is retried for a POST, one without is not', async () => {
    server.push(status(503, 'ServiceUnavailable', 'x', { headers: { 'retry-after': '1' } }), json({ ok: true }));
    expect((await transport.request(POST)).text).toBe('{"ok":true}');
    server.push(status(503, 'ServiceUnavailable'));
    expect(await failure(transport.request(POST))).toMatchObject({ code: 'serverError', details: { maybeDone: true } });
    expect(server.requests).toHaveLength(3);
  });

  it('is not waited for beyond the deadline', async () => {
    server.push(status(429, 'TooManyRequests', 'x', { headers: { 'retry-after': '20' } }));
    expect(await failure(transport.request({ ...GET, deadlineMs: 5000 }))).toMatchObject({
      code: 'throttled',
      retry: { afterMs: 20_000 },
    });
  });
});

describe('limits', () => {
  it('ends a silent request at its deadline', async () => {
    server.push(silent);
    const error = await failure(transport.request({ ...GET, deadlineMs: 50 }));
    expect(error).toMatchObject({ code: 'timeout', details: { maybeDone: true } });
    expect(error.message).toMatch(/^GET \/api\/v1\/pods: no complete answer from .* within 50 ms$/);
    await eventually(() => {
      expect(server.openConnections).toBe(0);
    });
  });

  it('ends an answer that stops in the middle at its deadline', async () => {
    const stream = new Streaming();
    server.push(stream.answer);
    const pending = failure(transport.request({ ...GET, deadlineMs: 200 }));
    await stream.write('{"half":');
    expect((await pending).code).toBe('timeout');
  });

  it('says what went wrong when time runs out between two attempts', async () => {
    const patient = connect({}, new FakeClock());
    server.push(status(500, 'InternalError', 'etcd is away'));
    expect(await failure(patient.request({ ...GET, deadlineMs: 150 }))).toMatchObject({
      code: 'serverError',
      message: expect.stringContaining('etcd is away') as string,
    });
    await patient.close();
  });

  it('rejects with the reason of the signal, before, during and between attempts', async () => {
    const reason = new Error('enough');
    await expect(transport.request({ ...GET, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);

    server.push(silent);
    const during = new AbortController();
    const pending = transport.request({ ...GET, signal: during.signal });
    await eventually(() => {
      expect(server.requests).toHaveLength(1);
    });
    during.abort(reason);
    await expect(pending).rejects.toBe(reason);

    const clock = new FakeClock();
    const patient = connect({}, clock);
    server.push(status(500, 'InternalError'));
    const between = new AbortController();
    const waiting = patient.request({ ...GET, signal: between.signal });
    await eventually(() => {
      expect(clock.sleeping).toBe(1);
    });
    between.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await patient.close();
  });
});

describe('credentials', () => {
  it('are renewed once after a 401, for any method', async () => {
    let token = 'old';
    const renewing = connect({
      credentials: {
        current: () => ({ headers: { authorization: `Bearer ${token}` } }),
        forget: () => {
          token = 'new';
          return true;
        },
      },
    });
    server.push(status(401, 'Unauthorized'), json({ ok: true }));
    await renewing.request(POST);
    expect(server.requests.map((request) => request.headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    server.push(status(401, 'Unauthorized'), status(401, 'Unauthorized'));
    expect((await failure(renewing.request(POST))).code).toBe('unauthenticated');
    expect(server.requests).toHaveLength(4);
    await renewing.close();
  });
});
