/**
 * The controllers of a pocket cluster: they make the world follow the objects, as kube-controller-manager does.
 * They must never keep in memory what a restart would miss, and never write around the API's rules.
 */
export { startControllers, type ControllersOptions } from './start-controllers.ts';
export type { ControllerDeps, Running } from './ports.ts';
