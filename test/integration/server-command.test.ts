import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ServerRecords } from '../../src/main/serve/server-records.ts';
import { servedPocket } from '../served-cluster.ts';

it('tells who tried to change what, also when its log is to say little', { timeout: 60_000 }, async () => {
  await using cluster = await servedPocket();
  const running = await cluster.serve('--log-level', 'error');
  const [record] = new ServerRecords(join(cluster.home.path, 'state')).running();
  const answer = await fetch(`${record!.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cluster: 'pocket-served', token: 'not-a-token-of-this-cluster' }),
  });
  expect(answer.status).toBe(401);
  running.child.kill('SIGTERM');
  const { code, err } = await running.finished();
  expect(code).toBe(0);
  const lines = err.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ audit: true, action: 'login', cluster: 'pocket-served', result: 'unauthenticated' }),
  ]);
  expect(err).not.toContain('not-a-token-of-this-cluster');
});
