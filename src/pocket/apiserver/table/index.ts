/**
 * Tables and metadata-only answers: what `kubectl get` shows.
 * It must never read anything but the objects it prints.
 */
export { Tables } from './tables.ts';
export { partialObject } from './partial.ts';
