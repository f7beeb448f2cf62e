import { isObject, objectAt } from '../../../../base/index.ts';
import type { ApiObject } from '../../object/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { KindRules } from './kind-rules.ts';

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

export const claimRules: KindRules = {
  create(object, { store }) {
    const spec = objectAt(object, 'spec');
    if (spec['storageClassName'] === undefined && object.metadata.annotations?.[OLD_CLASS] === undefined) {
      const name = defaultClass(store);
      if (name !== undefined) spec['storageClassName'] = name;
    }
    // Two names for one thing: whoever knows only one of them still finds it.
    if (spec['dataSource'] !== undefined) spec['dataSourceRef'] ??= structuredClone(spec['dataSource']);
    else if (isObject(spec['dataSourceRef']) && spec['dataSourceRef']['namespace'] === undefined) {
      spec['dataSource'] = structuredClone(spec['dataSourceRef']);
    }
    protect(object, 'kubernetes.io/pvc-protection');
    object['status'] = { phase: 'Pending' };
    return [];
  },
};

export const volumeRules: KindRules = {
  create(object, { now }) {
    protect(object, 'kubernetes.io/pv-protection');
    object['status'] = { phase: 'Pending', lastPhaseTransitionTime: now };
    return [];
  },
};

/** What is in use stays until it is not; a controller takes the finalizer away. */
function protect({ metadata }: ApiObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

/** The newest of several defaults, as the real admission plugin picks it. */
function defaultClass(store: ObjectStore): string | undefined {
  return store
    .list('storageclasses.storage.k8s.io')
    .filter((stored) => stored.object.metadata.annotations?.[DEFAULT_CLASS] === 'true')
    .toSorted((a, b) => b.rv - a.rv)[0]?.name;
}
