/**
 * One life of a container: what it needs, its first process, its log, how it feels and its last words.
 * It must never decide whether a container is started or stopped; its pod does.
 */
export type { ContainerRun, RunEnd } from './container-run.ts';
export { EventRecorder } from './event-recorder.ts';
export { PodPaths } from './pod-paths.ts';
export { turnstile, type WorkerDeps } from './ports.ts';
export { lastWordsFile, startContainer } from './start-container.ts';
export { supervise } from './supervise.ts';
export { Teller } from './teller.ts';
export { terminationMessage } from './termination-message.ts';
export { UsageWatch } from './usage-watch.ts';
