/**
 * The pods of the node at work: each is taken through its life, from its volumes to its last words.
 * It must never decide by itself what comes next; that is in `../pod`.
 */
export { EventRecorder } from './event-recorder.ts';
export { Hosts } from './hosts.ts';
export { Kubelet } from './kubelet.ts';
export type { ContainerRun } from './container-run.ts';
export type { PodWorker } from './pod-worker.ts';
export { turnstile } from './ports.ts';
export { UsageWatch } from './usage-watch.ts';
