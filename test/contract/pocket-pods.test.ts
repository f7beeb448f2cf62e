import { POD_GROUPS, removePods } from './pod-groups.ts';
import { startedPocket } from './pocket.ts';
import { contractSuite } from './suite.ts';

// To switch it on: no skip, a plain title, and POD_GROUPS in scripts/generate-pocket-differences.ts.
contractSuite(POD_GROUPS, {
  title: "pods of the pocket cluster (skipped: pocket's pods come with its node, src/pocket/node)",
  skip: true,
  isReal: false,
  atATime: 16,
  timeoutMs: 60_000,
  after: removePods,
  start: startedPocket,
});
