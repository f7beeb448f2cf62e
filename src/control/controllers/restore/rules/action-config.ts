import { CONFIG_MAP, STORAGE_CLASS } from '../../../../api/index.ts';
import { isAppError, type JsonObject } from '../../../../base/index.ts';
import { pluginConfig, type ActionConfig, type Collection } from '../../../../core/restore/index.ts';
import type { KubeClient, Target } from '../../../../edge/kube/index.ts';

/** The types whose actions need the storage classes. */
const VOLUME_TYPES = ['persistentvolumeclaims', 'persistentvolumes', 'statefulsets.apps'];

export interface ActionConfigInput {
  kube: Pick<KubeClient, 'list'>;
  namespace: string;
  collection: Collection;
  signal: AbortSignal;
}

/** The settings of the item actions, and what they need to know about the cluster; read once per restore. */
export async function readActionConfig(input: ActionConfigInput): Promise<ActionConfig> {
  const { kube, namespace, collection, signal } = input;
  const all = async (target: Target, labelSelector?: string): Promise<JsonObject[]> => {
    const objects: JsonObject[] = [];
    for await (const page of kube.list(target, { signal, ...(labelSelector === undefined ? {} : { labelSelector }) })) {
      if (page.restarted) objects.length = 0;
      objects.push(...page.items);
    }
    return objects;
  };
  const configMaps = await all({ type: CONFIG_MAP, namespace }, 'velero.io/plugin-config');
  const needsNames = collection.tiers.flat().some(({ resource }) => VOLUME_TYPES.includes(resource));
  const found = needsNames ? await unlessUnknown(all({ type: STORAGE_CLASS })) : [];
  const classes = new Set(found.map(({ metadata }) => (metadata as { name: string }).name));
  return {
    // Read lazily: a problem with them is an error of the items that need them, not of the restore.
    get storageClasses() {
      return pluginConfig(configMaps, 'velero.io/change-storage-class');
    },
    get images() {
      return pluginConfig(configMaps, 'velero.io/change-image-name');
    },
    hasStorageClass: (name) => classes.has(name),
  };
}

/** A cluster without the type has no such objects. */
async function unlessUnknown(objects: Promise<JsonObject[]>): Promise<JsonObject[]> {
  try {
    return await objects;
  } catch (error) {
    if (isAppError(error, 'notFound')) return [];
    throw error;
  }
}
