/**
 * The pods of the node at work: each is taken through its life, from its volumes to its end.
 * It must never decide by itself what comes next; that is in `../pod`.
 */
export { Kubelet } from './kubelet.ts';
export type { PodWorker } from './pod-worker.ts';
