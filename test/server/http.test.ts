import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { BackupsSchema, ErrorSchema } from '../../src/server/routes/schemas/index.ts';
import { eventually } from '../eventually.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { Served, type ServedCluster } from './served.ts';

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string; 'x-csrf-token': string };
let page: string;

beforeAll(async () => {
  cluster = await startCluster();
  page = mkdtempSync(join(tmpdir(), 'headway-page-'));
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<!doctype html>page');
  writeFileSync(join(page, 'assets', 'main-abc.js'), 'code');
  symlinkSync('/etc/hostname', join(page, 'leak.txt'));
  served = await Served.start([demo()], { pageDir: page });
  me = await served.byLink();
}, 60_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
  rmSync(page, { recursive: true });
});

const demo = (): ServedCluster => ({ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' });
const get = (path: string) => served.ask(path, { headers: me });

/** Of this process; none where the system does not tell. */
function openFiles(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
}

describe('HEAD', () => {
  it.each(['/', '/api/operations', '/api/events'])('of %s ends without a body', async (path) => {
    expect(await served.ask(path, { method: 'HEAD', headers: me })).toMatchObject({ status: 200, text: '' });
  });

  it('leaves no stream and no file open', async () => {
    const streams = async (): Promise<string | undefined> =>
      /^headway_streams (\d+)/m.exec((await get('/metrics')).text)?.[1];
    for (const path of ['/api/events', '/']) {
      const files = openFiles();
      for (let at = 0; at < 20; at += 1) await served.ask(path, { method: 'HEAD', headers: me });
      await eventually(() => {
        expect(openFiles()).toBeLessThan(files + 10);
      });
    }
    expect(await streams()).toBe('0');
  });
});

it.each([
  ['PUT', '/api/operations', 'GET, HEAD'],
  ['OPTIONS', '/api/backups', 'GET, HEAD, POST'],
  ['GET', '/api/plan', 'POST'],
])('answers %s %s with what the path takes', async (method, path, allow) => {
  const { status, headers, json } = await served.ask(path, { method, headers: me });
  expect([status, headers.allow]).toEqual([405, allow]);
  expect(ErrorSchema.parse(json)).toMatchObject({ error: { code: 'usage' } });
});

it('answers as its OpenAPI document says', async () => {
  const { json } = await served.ask('/api/openapi.json');
  const { paths } = json as { paths: Record<string, Record<string, { responses: Record<string, JsonObject> }>> };
  const told = (path: string, method = 'get') => Object.keys(paths[path]?.[method]?.responses ?? {});
  expect(paths['/api/backups']?.['get']?.responses['200']).toHaveProperty('content');
  expect(BackupsSchema.parse((await get('/api/backups')).json)).toHaveProperty('backups');
  const body = { metadata: { name: 'told' }, spec: {} };
  const created = await served.ask('/api/backups', { method: 'POST', headers: me, body });
  expect(told('/api/backups', 'post')).toContain(String(created.status));
  const at = '/api/operations/demo.backup.velero.told';
  const deleted = await eventually(async () => {
    const asked = await served.ask(at, { method: 'DELETE', headers: me });
    expect(asked.status).not.toBe(404);
    return asked;
  });
  expect(told('/api/operations/{id}', 'delete')).toContain(String(deleted.status));
  expect(told('/login')).toContain(String((await served.ask('/login?code=x', { method: 'HEAD' })).status));
  expect(told('/api/logout', 'post')).toContain('204');
});

describe('the page', () => {
  it('is served with assets to keep, and nothing outside of its directory', async () => {
    const index = await served.ask('/');
    expect(index).toMatchObject({ status: 200, text: '<!doctype html>page', headers: { 'cache-control': 'no-cache' } });
    expect(index.headers['content-security-policy']).toContain("default-src 'none'");
    const asset = await served.ask('/assets/main-abc.js');
    expect(asset.headers['cache-control']).toContain('immutable');
    for (const path of [
      '/../../etc/passwd.txt',
      '/%2e%2e/%2e%2e/etc/hostname',
      '/leak.txt',
      '/assets/..%2f..%2fx.js',
    ]) {
      expect((await served.ask(path)).status).toBe(404);
    }
  });

  it('says so while it is not built', async () => {
    await using bare = await Served.start([demo()]);
    const { status, text } = await bare.ask('/');
    expect([status, text]).toEqual([503, expect.stringContaining('not built yet')]);
  });
});
