import { startPods, whyNoOrdinaryUser } from '../pocket/pods-process.ts';
import { POD_GROUPS, removePods } from './pod-groups.ts';
import { contractSuite } from './suite.ts';

const reason = whyNoOrdinaryUser();
contractSuite(POD_GROUPS, {
  title: `pods of the pocket cluster of an ordinary user${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  skip: reason !== undefined,
  isReal: false,
  atATime: 16,
  timeoutMs: 60_000,
  after: removePods,
  // Who is an ordinary user already has seen it in pocket-pods.test.ts, but not in a process of its own.
  start: () => startPods({ asNobody: process.getuid?.() === 0 }),
});
