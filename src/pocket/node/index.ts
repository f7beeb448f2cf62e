/**
 * The one node of a pocket cluster: its pods are processes of this machine, or simulated.
 * It must never leave a process, a mount or a file of a pod behind, and never run what nobody asked for.
 */
export type { HeadwayProgram } from './images/index.ts';
export type { NodeOptions, PodProcesses, StartedNode } from './options.ts';
export { removeFiles } from './root/index.ts';
export { canRunPods, startNode } from './start-node.ts';
