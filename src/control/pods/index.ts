/**
 * Pods as operations use them: run one to its end, run a command in one, wait for one, say why one does not start.
 * It must never know what a program or a command is for.
 */
export { runCommand, type CommandResult } from './run-command.ts';
export { PodWatch, type PodWait, type WhyNot } from './pod-watch.ts';
export { whyNotUp, type WantedContainer } from './why-not-up.ts';
export { explainPod, type PodName } from './situation.ts';
export type { PodDiagnosis, Situation } from './diagnosis/index.ts';
export {
  podName,
  PodRunner,
  removePod,
  removePodsOf,
  type PodEnd,
  type PodRequest,
  type PodRunnerDeps,
  type PodRunOptions,
  type Waiting,
} from './run/index.ts';
