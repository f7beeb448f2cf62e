/**
 * How controllers without long operations write their objects: against the version they have seen, with a deadline, and
 * only what differs. It must never know what an object means.
 */
export {
  aboutObject,
  CALL_DEADLINE_MS,
  deleteObject,
  patchObject,
  patchStatus,
  readObject,
  toTime,
  type ObjectDeps,
} from './write-object.ts';
export { withCondition, withoutCondition } from './conditions.ts';
export { boundedProblems, boundedText } from './bounds.ts';
export { inParallel } from './in-parallel.ts';
export { serverTime } from './server-time.ts';
