/**
 * Pods that only look as if they ran, for clusters that need no processes.
 * It must never start a process.
 */
export { kubeletController } from './kubelet.ts';
