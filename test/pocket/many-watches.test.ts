import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { startProcess } from './pocket-process.ts';

const WATCHES = process.env['HEADWAY_CAMPAIGN'] === '1' ? 10_000 : 500;
const PATH = '/api/v1/namespaces/default/configmaps';

it(`tells ${WATCHES} watches of one write, and goes on when they go`, { timeout: 300_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'headway-watches-'));
  const { process: child, pool, headers } = await startProcess(dir, WATCHES + 1);
  const stopping = new AbortController();
  let told = 0;
  const watch = async (): Promise<void> => {
    const path = `${PATH}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`;
    const { body } = await pool.request({ method: 'GET', path, headers, signal: stopping.signal });
    body.once('data', () => (told += 1));
    // The abort below ends them all.
    body.on('error', () => undefined);
  };
  for (let begun = 0; begun < WATCHES; begun += 100) await Promise.all(Array.from({ length: 100 }, watch));
  const create = async (name: string): Promise<number> => {
    const body = JSON.stringify({ metadata: { name } });
    const answer = await pool.request({ method: 'POST', path: PATH, headers, body });
    await answer.body.dump();
    return answer.statusCode;
  };
  expect(await create('first')).toBe(201);
  await eventually(
    () => {
      expect(told).toBe(WATCHES);
    },
    { withinMs: 120_000 },
  );
  stopping.abort();
  expect(await create('second')).toBe(201);
  await pool.destroy();
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(dir, { recursive: true, force: true });
});
