import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ActionSet, Backup, Schedule, type ResourceType } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { ServerLimits } from '../../src/server/index.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';
import { EventStream } from './event-stream.ts';
import { ReviewingServer } from './reviewing-server.ts';
import { Served, type Answer } from './served.ts';

let cluster: EngineCluster;
let api: ReviewingServer;
beforeAll(async () => {
  cluster = await startCluster();
});
beforeEach(async () => {
  api = await ReviewingServer.start({
    anna: { name: 'anna', may: ['*'] },
    stranger: { name: 'stranger', may: [] },
    planner: { name: 'planner', may: ['schedules', 'restores'] },
  });
  return () => api[Symbol.asyncDispose]();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const start = (limits: Partial<ServerLimits> = {}, log = recordingLog()): Promise<Served> =>
  Served.start([{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'token', usersAt: api.url }], { limits }, log);

function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('somebody who makes up tokens', () => {
  it('costs the cluster a few questions, is told to wait, and is written down once', async () => {
    const log = recordingLog();
    await using served = await start({}, log);
    const guess = (at: number) => served.ask('/api/operations', { headers: as(`made-up-${String(at)}`) });
    const answers: Answer[] = [];
    for (let at = 0; at < 300; at += 30) {
      answers.push(...(await Promise.all(Array.from({ length: 30 }, (_, more) => guess(at + more)))));
    }
    const { 401: refused = 0, 429: limited = 0 } = tally(answers);
    expect(refused + limited).toBe(300);
    // Twenty at once, and one more every three seconds.
    expect(refused).toBeGreaterThanOrEqual(20);
    expect(refused).toBeLessThan(40);
    expect(api.asked).toBe(refused);
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^\d+$/);
    const lines = log.lines.filter(({ message }) => message === 'limit reached');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(5);
    expect(lines[0]?.fields).toMatchObject({ address: '127.0.0.1', limit: 'log-ins with unknown tokens' });
  });

  it('does not lock out those whom the cluster knows', async () => {
    await using served = await start({ rightsMs: 1 });
    const ask = async (token: string) => (await served.ask('/api/operations', { headers: as(token) })).status;
    expect(await ask('anna')).toBe(200);
    for (let at = 0; at < 25; at += 1) await ask(`made-up-${String(at)}`);
    expect(await ask('made-up-last')).toBe(429);
    expect(await ask('anna')).toBe(200);
  });

  it('is not asked about again for a while when it is the same token', async () => {
    await using served = await start();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => served.ask('/api/operations', { headers: as('made-up') })),
    );
    answers.push(await served.ask('/api/login', { method: 'POST', body: { token: 'made-up', cluster: 'demo' } }));
    expect(tally(answers)).toEqual({ 401: 31 });
    expect(api.asked).toBe(1);
  });
});

it('asks a cluster about a few users at a time', async () => {
  api.delayMs = 30;
  for (let at = 0; at < 12; at += 1) api.users.set(`user-${String(at)}`, { name: `user-${String(at)}`, may: [] });
  await using served = await start({ reviews: { atOnce: 2, perCaller: 1, waiting: 20, waitMs: 10_000 } });
  await Promise.all([...api.users.keys()].map((token) => served.ask('/api/session', { headers: as(token) })));
  // The first question of each user is one, the others come together.
  const together = api.asked / api.users.size - 1;
  expect(api.mostAtOnce).toBeLessThanOrEqual(2 * together);
  expect(together).toBeGreaterThan(5);
});

describe('a caller without rights', () => {
  it('does not learn where the cluster is, nor which file leads there', async () => {
    await using served = await start();
    const body = { metadata: { name: 'x' }, spec: {} };
    const { host } = new URL(api.url);
    const asked = (token: string) => [
      served.ask('/api/operations', { headers: as(token) }),
      served.ask('/api/backups', { method: 'POST', headers: as(token), body }),
      served.ask('/api/plan', { method: 'POST', headers: as(token), body: { ...body, kind: 'Backup' } }),
      served.ask('/api/login', { method: 'POST', body: { token, cluster: 'demo' } }),
    ];
    const answers = await Promise.all(['made-up', 'stranger'].flatMap(asked));
    await api[Symbol.asyncDispose]();
    answers.push(...(await Promise.all(['stranger', 'anna'].flatMap(asked))));
    expect(Object.keys(tally(answers))).toEqual(['200', '401', '403', '503']);
    for (const { text } of answers) {
      expect(text).not.toContain(host);
      expect(text).not.toMatch(/kubeconfig|127\.0\.0\.1|ECONN/);
    }
    api = await ReviewingServer.start();
  });

  it('is not told the name of the last backup by its schedule', async () => {
    const put = (type: ResourceType, name: string, labels: Record<string, string>, spec: JsonObject) =>
      cluster.kube.create(
        { type, namespace: 'velero' },
        { ...objectOf(type, name, { spec }), metadata: { name, namespace: 'velero', labels } },
      );
    await put(Schedule, 'daily', {}, { schedule: '@daily', template: {} });
    await put(Backup, 'payroll-merger-2027', { 'velero.io/schedule-name': 'daily' }, {});
    await using served = await start();
    const schedules = (token: string) => served.ask('/api/schedules', { headers: as(token) });
    await eventually(async () => {
      expect((await schedules('anna')).json).toMatchObject({
        schedules: [{ name: 'daily', lastBackup: 'demo.backup.velero.payroll-merger-2027' }],
      });
    });
    const { status, text } = await schedules('planner');
    expect([status, text]).toEqual([200, expect.not.stringContaining('payroll')]);
  });
});

it('ends a stream and a followed log when the rights to them are gone', async () => {
  const type = { type: Backup, namespace: 'velero' };
  const status = { phase: 'InProgress' };
  const { metadata } = await cluster.kube.create(type, objectOf(Backup, 'followed', { spec: {}, status }));
  const tail = async function* (_uid: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield Buffer.from('begun\n');
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  };
  expect(metadata.uid).toBeDefined();
  await using served = await Served.start(
    [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'token', usersAt: api.url, logs: { tail } }],
    { limits: { rightsMs: 100 } },
  );
  const open = async (path: string) => new EventStream(await served.open(path, { headers: as('anna') }));
  const path = '/api/operations/demo.backup.velero.followed/log?follow=1';
  await eventually(async () => {
    expect((await served.ask('/api/operations/demo.backup.velero.followed', { headers: as('anna') })).status).toBe(200);
  });
  const [events, log] = [await open('/api/events'), await open(path)];
  await events.next('heartbeat');
  expect([events.hasEnded, log.hasEnded]).toEqual([false, false]);
  api.users.set('anna', { name: 'anna', may: [] });
  await eventually(() => {
    expect([events.hasEnded, log.hasEnded]).toEqual([true, true]);
  });
});

it('asks about a namespace as soon as something is seen there for the first time', async () => {
  api.users.set('shopper', { name: 'shopper', may: ['actionsets@shop'] });
  for (const name of ['shop', 'bank']) await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
  const actionIn = (namespace: string) =>
    cluster.kube.create({ type: ActionSet, namespace }, objectOf(ActionSet, `of-${namespace}`, { spec: {} }));
  await using served = await start();
  const operations = () => served.ask('/api/operations', { headers: as('shopper') });
  await actionIn('bank');
  // Nothing is there that they may see, and nobody knows where to ask.
  expect((await operations()).status).toBe(403);
  await actionIn('shop');
  await eventually(
    async () => {
      const { status, text } = await operations();
      expect([status, text]).toEqual([200, expect.stringContaining('of-shop')]);
      expect(text).not.toContain('of-bank');
    },
    { withinMs: 15_000 },
  );
});
