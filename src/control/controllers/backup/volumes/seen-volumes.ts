import { isObject, objectsAt, textAt, textsAt, without, type JsonObject } from '../../../../base/index.ts';
import { claimUses, fileSystemVolumes, type Claim, type Pod } from '../../../../core/volumes/index.ts';
import type { Collected } from '../items/collected.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What the items of a backup say about volumes: its claims, their volumes, and the pods that use them. */
export class SeenVolumes {
  readonly claims: Claim[] = [];
  readonly volumes = new Map<string, JsonObject>();
  readonly pods: Pod[] = [];

  /** Of other kinds the object is not even looked at: whoever does has it parsed. */
  see(item: Collected): void {
    const { groupResource, namespace, name } = item.key;
    if (groupResource === 'persistentvolumes') this.volumes.set(name, slim(item.object));
    if (namespace === undefined) return;
    if (groupResource === 'pods') this.#seePod({ namespace, name, object: item.object });
    if (groupResource === 'persistentvolumeclaims') this.#seeClaim({ namespace, name, object: item.object });
  }

  #seeClaim({ namespace, name, object }: Claim): void {
    // An unbound claim has no data yet.
    if (textAt(object, 'spec', 'volumeName') === undefined) return;
    this.claims.push({ namespace, name, object: slim(object) });
  }

  #seePod(pod: Pod): void {
    // Others have nothing to copy, and a cluster may have a hundred thousand pods. One that excludes its claims is kept,
    // or they would look as if nobody mounted them.
    const hasClaims = claimUses([pod]).size > 0;
    if (hasClaims || fileSystemVolumes(pod.object, true).length > 0) this.pods.push(slimPod(pod));
  }
}

/** Only what decides about volumes. */
export function slimPod({ namespace, name, object }: Pod): Pod {
  const annotations = Object.entries(textsAt(object, 'metadata', 'annotations')).filter(([key]) =>
    key.startsWith('backup.velero.io/'),
  );
  const metadata = {
    name,
    namespace,
    uid: textAt(object, 'metadata', 'uid') ?? '',
    annotations: Object.fromEntries(annotations),
    ...deletionOf(object),
  };
  const node = textAt(object, 'spec', 'nodeName');
  const spec = { volumes: objectsAt(object, 'spec', 'volumes'), ...(node === undefined ? {} : { nodeName: node }) };
  const status = { phase: textAt(object, 'status', 'phase') ?? '' };
  return { namespace, name, object: { metadata, spec, status } };
}

function deletionOf(object: JsonObject): JsonObject {
  const deletionTimestamp = textAt(object, 'metadata', 'deletionTimestamp');
  return deletionTimestamp === undefined ? {} : { deletionTimestamp };
}

/** Without what programs note down about it, which is most of many objects; a large cluster has ten thousand of them. */
export function slim(object: JsonObject): JsonObject {
  const { annotations, ...metadata } = without(object['metadata'] as JsonObject, 'managedFields');
  const own = isObject(annotations) ? { annotations: without(annotations, LAST_APPLIED) } : {};
  return { ...object, metadata: { ...metadata, ...own } };
}
