/**
 * The cluster for controllers in the same process.
 * It must never be a way around a rule that HTTP clients meet.
 */
export { createControlClient, type ControlClient, type TypeOf } from './control-client.ts';
export type { AnyChange, Change } from './change.ts';
