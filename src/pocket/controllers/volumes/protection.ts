import { CLAIMS, PODS, VOLUMES, type Claim, type KubeObject, type Pod } from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';

const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection';
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection';

/** Holds a claim that is deleted for as long as a pod on a node uses it. */
export function claimProtectionController({ client }: ControllerDeps): Controller {
  return {
    name: 'pvc-protection',
    watches: [
      watch(CLAIMS),
      watch(PODS, ({ type, object }) => {
        const isOver = type === 'DELETED' || isGoing(object);
        return isOver ? claimsOf(object).map((name) => keyOf({ namespace: object.metadata.namespace, name })) : [];
      }),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const claim = client.get(CLAIMS, namespace, name);
      if (claim === undefined) return undefined;
      const isUsed = (): boolean => client.list(PODS, namespace).some((pod) => uses(pod, claim));
      const next = protectedOr(claim, CLAIM_FINALIZER, isUsed);
      if (next !== undefined) await client.update(CLAIMS, next);
      return undefined;
    },
  };
}

/** Holds a volume that is deleted for as long as it is bound. */
export function volumeProtectionController({ client }: ControllerDeps): Controller {
  return {
    name: 'pv-protection',
    watches: [watch(VOLUMES)],
    reconcile: async ({ name }: ObjectKey) => {
      const volume = client.get(VOLUMES, '', name);
      if (volume === undefined) return undefined;
      const next = protectedOr(volume, VOLUME_FINALIZER, () => volume.status?.phase === 'Bound');
      if (next !== undefined) await client.update(VOLUMES, next);
      return undefined;
    },
  };
}

/** The object with its finalizer, or without it when it is going and nobody uses it; undefined when it is right. */
function protectedOr<T extends KubeObject>(object: T, finalizer: string, isUsed: () => boolean): T | undefined {
  const finalizers = object.metadata.finalizers ?? [];
  const has = finalizers.includes(finalizer);
  const withFinalizers = (next: string[]): T => ({ ...object, metadata: { ...object.metadata, finalizers: next } });
  if (!isGoing(object)) return has ? undefined : withFinalizers([...finalizers, finalizer]);
  return has && !isUsed() ? withFinalizers(finalizers.filter((one) => one !== finalizer)) : undefined;
}

function claimsOf(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${pod.metadata.name}-${name}`];
  });
}

/** A pod without a node has not mounted anything, and will not start on a claim that is going. */
function uses(pod: Pod, claim: Claim): boolean {
  return (pod.spec.nodeName ?? '') !== '' && claimsOf(pod).includes(claim.metadata.name);
}
