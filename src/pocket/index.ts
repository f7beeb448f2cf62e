/**
 * The pocket cluster: a small Kubernetes for trying and testing, with no cluster at all.
 * It must never be used for production, and never import Headway's own engines.
 */
export { removeFiles, type HeadwayProgram, type PodProcesses } from './node/index.ts';
export { startPocket, type Pocket, type PocketOptions } from './start.ts';
