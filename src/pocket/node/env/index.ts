/**
 * The environment of a container, from its spec and what it refers to.
 * It must never read anything but what it is given.
 */
export { environmentOf, hostnameOf, type Environment } from './environment.ts';
export { expand } from './expand.ts';
export { podField } from './pod-fields.ts';
export { resourceField, type NodeSize } from './resource-fields.ts';
