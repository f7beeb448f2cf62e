import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { transportTo } from '../../../../test/kube-transport.ts';
import * as scripted from '../../../../test/scripted-server/index.ts';
import type { Transport } from './transport.ts';

const { json, silent, status, Streaming } = scripted;
const GET = { method: 'GET', path: '/api/v1/pods' } as const;

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

describe('a server that turns requests away', () => {
  const ask = (count: number, signal?: AbortSignal): Promise<unknown>[] =>
    Array.from({ length: count }, () => transport.request({ ...GET, ...(signal && { signal }) }));

  /** Asks for more than any limit, and waits until so many are with the server, which answers none. */
  async function holds(count: number, then: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const { length: before } = server.requests;
    const leaving = new AbortController();
    server.always('*', silent);
    const asked = Promise.allSettled(ask(100, leaving.signal));
    await eventually(() => {
      expect(server.requests.length - before).toBeGreaterThanOrEqual(count);
    });
    await then();
    leaving.abort(new Error('enough'));
    await asked;
  }

  it('gets half as many at once', async () => {
    server.push(status(429, 'TooManyRequests'));
    server.always('*', json({}));
    await transport.request(GET);
    server.always('GET /watch', json({}));
    const { length: before } = server.requests;
    await holds(32, async () => {
      // Whatever else was sent is there before these.
      for (let time = 0; time < 10; time += 1) (await transport.stream({ method: 'GET', path: '/watch' })).close();
      expect(server.requests.filter(({ path }) => path === GET.path).length - before).toBe(32);
    });
  });

  it('gets more again as it answers', async () => {
    server.push(status(429, 'TooManyRequests'));
    server.always('*', json({}));
    await Promise.all(ask(200));
    await holds(33);
  });

  it('gets more again also as it refuses for other reasons', async () => {
    server.push(status(429, 'TooManyRequests'));
    server.always('*', status(404, 'NotFound'));
    await Promise.allSettled(ask(200));
    await holds(33);
  });

  it.each([64, 32])('gets an urgent request beside %i that hang', async (limit) => {
    if (limit < 64) {
      server.push(status(429, 'TooManyRequests'));
      server.always('*', json({}));
      await transport.request(GET);
    }
    server.always('GET /lease', json({}));
    await holds(limit, async () => {
      await transport.request({ method: 'GET', path: '/lease', deadlineMs: 10_000 });
    });
  });

  it('keeps nobody from a watch, however many requests it has', async () => {
    const stream = new Streaming();
    server.always('GET /watch', stream.answer);
    await holds(64, async () => {
      (await transport.stream({ method: 'GET', path: '/watch' })).close();
      await stream.closed;
    });
  });
});
