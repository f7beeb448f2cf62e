/**
 * Kubernetes Events about the objects Headway works on, best effort.
 * It must never make a caller wait, and never hold more than a bounded number of events.
 */
export { EventRecorder, type EventDeps, type EventOptions } from './event-recorder.ts';
export type { EventInput } from './event-object.ts';
