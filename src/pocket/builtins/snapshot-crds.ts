import type { JsonObject } from '../../base/index.ts';
import { SNAPSHOT_CRDS_JSON } from './snapshot-crds.gen.ts';

/**
 * The definitions of VolumeSnapshot, VolumeSnapshotContent and VolumeSnapshotClass. On a real cluster they come with the
 * snapshot controller; a pocket cluster has them from the start.
 */
export function snapshotCrds(): JsonObject[] {
  return JSON.parse(SNAPSHOT_CRDS_JSON) as JsonObject[];
}
