/**
 * What this machine has to make pods with.
 * It must never decide what a pod is.
 */
export { Programs } from './programs.ts';
