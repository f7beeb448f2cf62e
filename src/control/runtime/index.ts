/**
 * The control loop that every controller builds on: caches, queues, controllers, election, status publishing, events.
 * It must never know Headway's own kinds: what an object means is decided in the controllers and the core.
 */
export type { Part, ReconcileOutcome, RuntimeDeps, RuntimeMetrics } from './ports.ts';
export { NO_METRICS } from './ports.ts';
export { splitKey } from './object-key.ts';
export type { CacheChange, ObjectCache } from './object-cache.ts';
export { Reflector, type ReflectorDeps, type ReflectorOptions } from './reflector.ts';
export {
  Controller,
  type ControllerDeps,
  type ControllerOptions,
  type KeySource,
  type Reconcile,
  type ReconcileResult,
} from './controller.ts';
export { Manager, type ManagerOptions, type StopReport } from './manager.ts';
export { Leader, type LeaderDeps, type LeaderOptions, type Leadership } from './election/index.ts';
export {
  removeCondition,
  setCondition,
  StatusPublisher,
  type Commitment,
  type ConditionChange,
  type FinishResult,
  type PublisherDeps,
  type PublisherOptions,
} from './status/index.ts';
export { EventRecorder, type EventDeps, type EventInput, type EventOptions } from './events/index.ts';
export { childAbort, firstAborted, timeLimit, type ChildAbort } from './abort.ts';
export { anyOf, Door, type Gate } from './door.ts';
export { GatedParts } from './gated-parts.ts';
export { Term } from './term.ts';
export { OperationPool, type OperationWork, type PoolOptions, type StartResult } from './operation-pool.ts';
