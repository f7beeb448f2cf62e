/**
 * The one node of a pocket cluster, simulated: it takes pods and says of them what a kubelet would say.
 * It must never start a process; pods that really run come later.
 */
export { startNode } from './start-node.ts';
