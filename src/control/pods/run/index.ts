/**
 * One way to run a pod to its end, for every engine. It must never know what the program in it does, and never leave a
 * pod behind that nobody will find.
 */
export { PodRunner, type PodRunnerDeps, type PodRunOptions } from './pod-runner.ts';
export type { PodEnd } from './pod-attendance.ts';
export { podName, type PodRequest } from './pod-request.ts';
export { removePod, removePodsOf } from './remove-pod.ts';
export type { Waiting } from './waiting.ts';
