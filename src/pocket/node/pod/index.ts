/**
 * The life of a pod as decisions: what is started, restarted and stopped, and what its status says. Pure.
 * It must never read a clock, and never know how a container runs.
 */
export { afterRestart, backOffText } from './back-off.ts';
export {
  allContainers,
  containerId,
  isSidecar,
  newRecord,
  type ContainerRecord,
  type Ended,
  type Records,
} from './container-record.ts';
export { isOver, planPod, type PodPlan } from './pod-plan.ts';
export { podStatus } from './pod-status.ts';
export { recordsFromStatus, UNSEEN } from './records-from-status.ts';
