import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket } from '../../src/pocket/index.ts';
import type { Server } from './suite.ts';

/** A pocket cluster of its own, for one suite. */
export async function startedPocket(): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'headway-contract-'));
  const pocket = await startPocket({ dir, name: 'contract', port: 0, clock: systemClock, log: NO_LOG });
  return {
    endpoint: { server: pocket.url, caPem: pocket.ca, token: pocket.token },
    [Symbol.asyncDispose]: async () => {
      await pocket.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
