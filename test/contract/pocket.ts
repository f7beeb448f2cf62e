import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type PodProcesses } from '../../src/pocket/index.ts';
import type { Server } from './suite.ts';

/** A pocket cluster of its own, for one suite; its pods are simulated unless they are to be processes. */
export async function startedPocket(pods?: PodProcesses): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'headway-contract-'));
  const options = pods === undefined ? {} : { pods };
  const pocket = await startPocket({ dir, name: 'contract', port: 0, clock: systemClock, log: NO_LOG, ...options });
  return {
    endpoint: { server: pocket.url, caPem: pocket.ca, token: pocket.token },
    [Symbol.asyncDispose]: async () => {
      await pocket.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
