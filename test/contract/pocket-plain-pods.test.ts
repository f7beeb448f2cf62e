import { startPods, whyNoOrdinaryUser } from '../pocket/pods-process.ts';
import { POD_GROUPS, removePods } from './pod-groups.ts';
import { contractSuite } from './suite.ts';

/** What no process can have without a namespace of its own. */
const NEED_NAMESPACES = new Set([
  'its name is its host name',
  'where it works',
  'it has another host name',
  'environment and folder are those of the container',
  'a hook before it is stopped',
  'a folder of the node',
  'a single file of a config map',
  'what can only be read',
]);

const reason = whyNoOrdinaryUser();
contractSuite(
  POD_GROUPS.map(({ group, cases }) => ({ group, cases: cases.filter(({ name }) => !NEED_NAMESPACES.has(name)) })),
  {
    title: `pods of the pocket cluster as plain processes${reason === undefined ? '' : ` (skipped: ${reason})`}`,
    skip: reason !== undefined,
    isReal: false,
    atATime: 16,
    timeoutMs: 60_000,
    after: removePods,
    start: () => startPods({ asNobody: process.getuid?.() === 0, isPlain: true }),
  },
);
