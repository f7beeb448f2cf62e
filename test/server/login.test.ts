import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionSchema } from '../../src/server/routes/schemas.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
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
    expect(inBrowser).toMatchObject({ status: 303, headers: { location: '/?login=refused' } });
    expect(inBrowser.headers['set-cookie']).toBeUndefined();
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
});
