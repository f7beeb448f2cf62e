import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_LOG } from '../base/index.ts';
import { PocketDirectory } from './pocket-directory.ts';
import { runPocket } from './run-pocket.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'headway-port-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

async function portOf(options: { port?: number } = {}): Promise<number> {
  await using pocket = await runPocket(
    new PocketDirectory(home, 'one'),
    { pods: 'simulated', home, env: {}, ...options },
    NO_LOG,
  );
  return Number(new URL(pocket.server).port);
}

it('keeps its port from one start to the next, so that copies of its kubeconfig stay good', async () => {
  const port = await portOf();
  expect(await portOf()).toBe(port);
});

it('takes another port when its own is in use, but never instead of one that was asked for', async () => {
  const port = await portOf();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  await expect(portOf({ port })).rejects.toMatchObject({ code: 'conflict' });
  const next = await portOf();
  expect(next).not.toBe(port);
  other.close();
  await once(other, 'close');
  expect(await portOf()).toBe(next);
});
