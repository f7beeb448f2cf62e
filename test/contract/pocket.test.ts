import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket } from '../../src/pocket/index.ts';
import { GROUPS } from './groups.ts';
import { contractSuite } from './suite.ts';

contractSuite(GROUPS, {
  title: 'the pocket cluster',
  skip: false,
  isReal: false,
  start: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headway-contract-'));
    const pocket = await startPocket({ dir, name: 'contract', port: 0, clock: systemClock, log: NO_LOG });
    return {
      endpoint: { server: pocket.url, caPem: pocket.ca, token: pocket.token },
      [Symbol.asyncDispose]: async () => {
        await pocket.close();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  },
});
