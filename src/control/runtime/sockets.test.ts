import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LOG, parseJson, type Clock } from '../../base/index.ts';
import { createKubeClient, type KubeClient, type KubeObject } from '../../edge/kube/index.ts';
import { staticCredential } from '../../edge/kube/config/credentials.ts';
import { systemClock } from '../../main/system-clock.ts';
import { eventually } from '../../../test/eventually.ts';
import {
  html,
  json,
  killed,
  ScriptedServer,
  silent,
  slow,
  status,
  Streaming,
} from '../../../test/scripted-server/index.ts';
import type { Answer } from '../../../test/scripted-server/index.ts';
import { StatusPublisher } from './status/publisher.ts';
import { Reflector } from './reflector.ts';
import { cpuMs } from '../../../test/cpu-time.ts';

const TYPE = { group: 'velero.io', version: 'v1', kind: 'Backup', plural: 'backups', namespaced: true };
const TARGET = { type: TYPE, namespace: 'velero' };
const PATH = '/apis/velero.io/v1/namespaces/velero/backups';

// Pauses are a tenth of those in production; sockets take real time.
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) };
const deps = { clock, log: NO_LOG, random: () => 0 };

let server: ScriptedServer;
let kube: KubeClient;
let stop: AbortController;
beforeEach(async () => {
  server = await ScriptedServer.start();
  stop = new AbortController();
  kube = createKubeClient(
    { ...deps, userAgent: 'headway-test' },
    {
      label: 'scripted server',
      server: server.url,
      namespace: 'velero',
      tls: { insecure: false },
      credentials: staticCredential({}),
      headers: {},
    },
  );
});
afterEach(async () => {
  stop.abort();
  await kube.close();
  await server.stop();
});

function backup(name: string, resourceVersion: string, more: object = {}): KubeObject {
  const metadata = { namespace: 'velero', name, uid: `uid-${name}`, resourceVersion };
  return { apiVersion: 'velero.io/v1', kind: 'Backup', metadata, ...more };
}
function listOf(resourceVersion: string, ...items: KubeObject[]): Answer {
  return json({ apiVersion: 'velero.io/v1', kind: 'BackupList', metadata: { resourceVersion }, items });
}
const expired = (): Answer => status(410, 'Expired', 'too old resource version: 5 (9)');

describe('Reflector over a real connection', () => {
  function start(options: { inactivityMs?: number } = {}) {
    const reflector = new Reflector({ target: TARGET, ...options }, { ...deps, kube });
    const ended = reflector.run(stop.signal);
    const names = () => [...reflector.cache.values()].map((object) => object.metadata.name).sort();
    return { reflector, ended, names };
  }
  /** The versions that lists (none) and watches asked for, in order. */
  const asked = () =>
    server.requests.map(({ query }) => (query.has('watch') ? `watch ${query.get('resourceVersion') ?? ''}` : 'list'));

  it('goes on from the last event when the connection dies in the middle of a line', async () => {
    const [first, second] = [new Streaming(), new Streaming()];
    server.push(listOf('5', backup('a', '3')), first.answer, second.answer);
    const { names } = start();
    await first.line({ type: 'ADDED', object: backup('b', '6') });
    await first.write('{"type":"ADDED","object":{"metadata":{"na');
    await eventually(() => {
      expect(names()).toEqual(['a', 'b']);
    });
    await first.kill();
    await second.line({ type: 'ADDED', object: backup('c', '7') });
    await second.line({ type: 'DELETED', object: backup('a', '8') });
    await eventually(() => {
      expect(names()).toEqual(['b', 'c']);
    });
    expect(asked()).toEqual(['list', 'watch 5', 'watch 6']);
  });

  it.each(['as the answer', 'in the stream'])('lists again after a 410 %s, and notices what is gone', async (where) => {
    const [first, second] = [new Streaming(), new Streaming()];
    server.push(listOf('5', backup('a', '3'), backup('b', '4')));
    if (where === 'as the answer') server.push(expired());
    else server.push(first.answer);
    server.push(listOf('9', backup('b', '4')), second.answer);
    const { names, reflector } = start();
    if (where === 'in the stream') {
      await first.line({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } });
    }
    await second.line({ type: 'ADDED', object: backup('c', '10') });
    await eventually(() => {
      expect(names()).toEqual(['b', 'c']);
    });
    await expect(reflector.ready).resolves.toBeUndefined();
    expect(asked()).toEqual(['list', 'watch 5', 'list', 'watch 9']);
  });

  it('comes through 429, 500, a broken connection, a page of HTML and a long delay', async () => {
    const stream = new Streaming();
    server.push(
      status(429, 'TooManyRequests', 'slow down', { headers: { 'retry-after': '1' } }),
      status(500, 'InternalError', 'etcdserver: leader changed'),
      killed,
      html('<h1>502 Bad Gateway</h1>'),
      slow(1000, listOf('5', backup('a', '3'))),
      status(500, 'InternalError', 'no watch for you'),
      stream.answer,
    );
    const { names } = start();
    await stream.line({ type: 'ADDED', object: backup('b', '6') });
    await eventually(() => {
      expect(names()).toEqual(['a', 'b']);
    });
  });

  it('notices a half-open connection by its silence', async () => {
    const [first, second] = [new Streaming(), new Streaming()];
    server.push(listOf('5'), first.answer, second.answer);
    const { names } = start({ inactivityMs: 150 });
    await first.line({ type: 'BOOKMARK', object: { kind: 'Backup', metadata: { resourceVersion: '7' } } });
    await second.line({ type: 'ADDED', object: backup('a', '8') });
    await eventually(() => {
      expect(names()).toEqual(['a']);
    });
    expect(asked()).toEqual(['list', 'watch 5', 'watch 7']);
  });

  it('leaves no connection when it is stopped', async () => {
    const stream = new Streaming();
    server.push(listOf('5'), stream.answer);
    const { ended } = start();
    await stream.opened;
    stop.abort();
    await ended;
    await stream.closed;
    await kube.close();
    await eventually(() => {
      expect(server.openConnections).toBe(0);
    });
  });
});

describe('StatusPublisher over a real connection', () => {
  const report = (done: number, state: 'running' | 'completed' = 'running') => ({
    state,
    measures: [{ unit: 'items' as const, done, total: { kind: 'unknown' as const } }],
    children: [],
  });
  function start() {
    return new StatusPublisher(
      {
        target: { ...TARGET, name: 'a' },
        object: backup('a', '3'),
        statusOf: (it) => ({ phase: it.state, done: it.measures[0]?.done ?? 0 }),
        isOver: (object) => JSON.stringify(object['status'] ?? {}).includes('completed'),
        signal: stop.signal,
        writeDeadlineMs: 300,
      },
      { ...deps, kube },
    );
  }
  const written = (version: string, phase: string, done: number) =>
    json(backup('a', version, { status: { phase, done } }));
  const sent = () => server.requests.map(({ method, body }) => [method, body === '' ? undefined : parseJson(body)]);

  it('merges into the main resource, always against a version it has seen', async () => {
    server.push(
      written('4', 'running', 1),
      status(409, 'Conflict', 'the object has been modified'),
      json(backup('a', '7', { status: { phase: 'running', done: 1 }, spec: { changed: true } })),
      written('8', 'completed', 9),
    );
    const publisher = start();
    publisher.publish(report(1));
    expect(await publisher.finish(report(9, 'completed'))).toBe('written');
    expect(server.requests[0]?.headers['content-type']).toBe('application/merge-patch+json');
    expect(server.requests.every((request) => request.path === `${PATH}/a`)).toBe(true);
    expect(sent()).toEqual([
      ['PATCH', { metadata: { resourceVersion: '3' }, status: { phase: 'running', done: 1 } }],
      ['PATCH', { metadata: { resourceVersion: '4' }, status: { phase: 'completed', done: 9 } }],
      ['GET', undefined],
      ['PATCH', { metadata: { resourceVersion: '7' }, status: { phase: 'completed', done: 9 } }],
    ]);
  });

  it('gets its last write in through 429, 500, silence and a lost answer', async () => {
    const done = backup('a', '4', { status: { phase: 'completed', done: 9 } });
    server.push(
      status(429, 'TooManyRequests', 'slow down', { headers: { 'retry-after': '1' } }),
      status(500, 'InternalError', 'etcdserver: leader changed'),
      silent,
      killed,
      status(409, 'Conflict', 'the object has been modified'),
      json(done),
    );
    expect(await start().finish(report(9, 'completed'))).toBe('written');
    expect(server.requests.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'PATCH', 'PATCH', 'PATCH', 'GET']);
  });

  it('never lets the work feel a server that does not answer', async () => {
    server.always('*', silent);
    const publisher = start();
    const ms = cpuMs(() => {
      for (let i = 0; i < 100_000; i += 1) publisher.publish(report(i));
    });
    expect(ms).toBeLessThan(1000);
    await eventually(() => {
      expect(server.requests.length).toBeGreaterThanOrEqual(2);
    });
    const finished = publisher.finish(report(9, 'completed'));
    stop.abort();
    expect(await finished).toBe('abandoned');
  });
});
