import { machinePods } from '../pocket/machine-pods.ts';
import { POD_GROUPS, removePods } from './pod-groups.ts';
import { startedPocket } from './pocket.ts';
import { contractSuite } from './suite.ts';

contractSuite(POD_GROUPS, {
  title: 'pods of the pocket cluster',
  skip: process.platform !== 'linux',
  isReal: false,
  atATime: 16,
  timeoutMs: 60_000,
  after: removePods,
  start: () => startedPocket(machinePods()),
});
