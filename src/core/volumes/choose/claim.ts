import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';

/** A claim in a backup, by its object. */
export interface Claim {
  namespace: string;
  name: string;
  object: JsonObject;
}

/** A pod, by its object. */
export interface Pod {
  namespace: string;
  name: string;
  object: JsonObject;
}

/** A volume of a pod that is backed by a claim. */
export interface ClaimUse {
  pod: Pod;
  /** The entry of the pod's spec.volumes. */
  volume: JsonObject;
  /** The pod's name for it. */
  volumeName: string;
}

/** The claim behind an entry of a pod's spec.volumes; a generic ephemeral volume has one of its own. */
export function claimNameOf(pod: Pod, volume: JsonObject): string | undefined {
  const named = textAt(volume, 'persistentVolumeClaim', 'claimName');
  if (named !== undefined) return named;
  const name = textAt(volume, 'name');
  return name === undefined || volume['ephemeral'] === undefined ? undefined : `${pod.name}-${name}`;
}

/** Which pods use which claims, as `namespace/claim`, in the order of the pods. */
export function claimUses(pods: readonly Pod[]): Map<string, ClaimUse[]> {
  const uses = new Map<string, ClaimUse[]>();
  for (const pod of pods) {
    for (const volume of objectsAt(pod.object, 'spec', 'volumes')) {
      const claim = claimNameOf(pod, volume);
      const volumeName = textAt(volume, 'name');
      if (claim === undefined || volumeName === undefined) continue;
      const key = `${pod.namespace}/${claim}`;
      const known = uses.get(key);
      const use = { pod, volume, volumeName };
      if (known === undefined) uses.set(key, [use]);
      else known.push(use);
    }
  }
  return uses;
}

/** Only where a pod runs is its volume mounted, and only there can a mover mount it too. One that ends may take it away. */
export function isRunning({ object }: Pod): boolean {
  const isThere = textAt(object, 'status', 'phase') === 'Running' && textAt(object, 'spec', 'nodeName') !== undefined;
  return isThere && valueAt(object, 'metadata', 'deletionTimestamp') === undefined;
}

/** Why no mover could copy the files of a claim that running pods use; undefined when one can. */
export function obstacleOf({ object }: Claim): string | undefined {
  const spec = objectAt(object, 'spec');
  if (textAt(spec, 'volumeMode') === 'Block') return 'it is a block volume, which has no files';
  const modes = spec['accessModes'];
  if (Array.isArray(modes) && modes.includes('ReadWriteOncePod')) {
    return 'it is in use and ReadWriteOncePod, so that no mover can mount it';
  }
  return undefined;
}
