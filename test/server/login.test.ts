import { statSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LOG, type Clock } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { SessionSchema } from '../../src/server/routes/schemas/index.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { EventStream } from './event-stream.ts';
import { Served } from './served.ts';

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string; 'x-csrf-token': string };

beforeAll(async () => {
  cluster = await startCluster();
  served = await Served.start([{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' }]);
  me = await served.byLink();
}, 60_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

describe('logging in', () => {
  it('works once by a link, and tells who one is', async () => {
    const link = new URL(served.server.loginLink());
    const look = await served.ask(link.pathname + link.search, { method: 'HEAD' });
    expect(look.headers['set-cookie']).toBeUndefined();
    const first = await served.ask(link.pathname + link.search);
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(first.headers['set-cookie']?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const again = await served.ask(link.pathname + link.search);
    expect(again).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } });
    const inBrowser = await served.ask(link.pathname + link.search, { headers: { accept: 'text/html,*/*' } });
    expect(inBrowser).toMatchObject({ status: 303, headers: { location: '/?login=used' } });
    expect(inBrowser.headers['set-cookie']).toBeUndefined();
    expect(again.text).toContain('already been used');
    const invented = await served.ask('/login?code=invented', { headers: { accept: 'text/html,*/*' } });
    expect(invented.headers.location).toBe('/?login=refused');
    expect((await served.ask('/login?code=invented')).text).not.toContain('used');
    const { json } = await served.ask('/api/session', { headers: me });
    expect(SessionSchema.parse(json)).toMatchObject({
      clusters: [{ name: 'demo', user: { name: expect.any(String) as string } }],
    });
  });

  it('outlives a restart of the server with the same key, and no other', async () => {
    const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
    await using same = await Served.start(clusters);
    expect((await same.ask('/api/operations', { headers: me })).status).toBe(200);
    await using other = await Served.start(clusters, { key: new Uint8Array(32).fill(8) });
    expect((await other.ask('/api/operations', { headers: me })).status).toBe(401);
  });

  it('ends with a log-out, also for a cookie that was copied', async () => {
    const mine = await served.byLink();
    expect((await served.ask('/api/logout', { method: 'POST', headers: mine })).status).toBe(204);
    expect((await served.ask('/api/operations', { headers: mine })).status).toBe(401);
  });

  it('that has ended stays so after a restart of the server, and others go on', async () => {
    const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
    const endedSessionsFile = join(cluster.directory, 'ended-sessions.json');
    const before = await Served.start(clusters, { endedSessionsFile });
    const [leaves, stays] = [await before.byLink(), await before.byLink()];
    await before.ask('/api/logout', { method: 'POST', headers: leaves });
    await before[Symbol.asyncDispose]();
    expect(statSync(endedSessionsFile).mode & 0o777).toBe(0o600);
    await using after = await Served.start(clusters, { endedSessionsFile });
    expect((await after.ask('/api/operations', { headers: leaves })).status).toBe(401);
    expect((await after.ask('/api/operations', { headers: stays })).status).toBe(200);
  });

  it('ends every session when it is not known any more which have ended', async () => {
    const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
    const endedSessionsFile = join(cluster.directory, 'damaged.json');
    writeFileSync(endedSessionsFile, '{"ended":');
    await using after = await Served.start(clusters, { endedSessionsFile });
    expect((await after.ask('/api/operations', { headers: me })).status).toBe(401);
    expect((await after.ask('/api/operations', { headers: await after.byLink() })).status).toBe(200);
  });
});

describe('an event stream', () => {
  const stream = async (of: Served, headers: OutgoingHttpHeaders) =>
    new EventStream(await of.open('/api/events', { headers }));

  it('ends when its session is logged out, and no other', async () => {
    const mine = await served.byLink();
    const [ends, goesOn] = [await stream(served, mine), await stream(served, me)];
    await Promise.all([ends.next('snapshot'), goesOn.next('snapshot')]);
    await served.ask('/api/logout', { method: 'POST', headers: mine });
    await eventually(() => {
      expect(ends.hasEnded).toBe(true);
    });
    await goesOn.next('heartbeat');
    expect(goesOn.hasEnded).toBe(false);
    goesOn.close();
  });

  it('ends when its session expires', async () => {
    const DAY = 24 * 3_600_000;
    let ahead = 0;
    const wake: (() => void)[] = [];
    const clock: Clock = {
      ...systemClock,
      now: () => Date.now() + ahead,
      // Whoever waits for the end of the day is woken by the test, once its stream has begun.
      sleep: (ms, signal) =>
        ms < DAY / 2
          ? systemClock.sleep(ms, signal)
          : Promise.race([systemClock.sleep(ms, signal), new Promise<void>((resolve) => wake.push(resolve))]),
    };
    const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const }];
    await using late = await Served.start(clusters, {}, NO_LOG, clock);
    const mine = await late.byLink();
    const events = await stream(late, mine);
    await events.next('snapshot');
    expect(events.hasEnded).toBe(false);
    ahead = DAY;
    for (const each of wake) each();
    await eventually(() => {
      expect(events.hasEnded).toBe(true);
    });
    expect((await late.ask('/api/operations', { headers: mine })).status).toBe(401);
  });
});
