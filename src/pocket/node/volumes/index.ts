/**
 * The volumes of a pod as files and folders of the machine.
 * It must never mount anything itself, and never show a pod what belongs to the cluster.
 */
export { containerBinds } from './container-binds.ts';
export { mountVolume, unknownVolume, type MountedVolume, type VolumePlaces } from './pod-volumes.ts';
