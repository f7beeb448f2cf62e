/**
 * What happens after a delete: the garbage collector and the end of namespaces.
 * It must never delete what still has an owner or a place.
 */
export { startGarbageCollector } from './garbage-collector.ts';
export { namespaceController } from './namespace-controller.ts';
