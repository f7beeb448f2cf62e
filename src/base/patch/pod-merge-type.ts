import type { MergeField, MergeType } from './merge-type.ts';

type Fields = Readonly<Record<string, MergeField>>;

export const mergeType = (fields: Fields): MergeType => ({
  field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined),
});
/** A list of objects that are identified by this key. */
export const mergedBy = (mergeKey: string, type?: MergeType): MergeField => ({
  strategies: ['merge'],
  mergeKey,
  ...(type === undefined ? {} : { type }),
});

// As the Go types of Kubernetes are tagged.
const CONTAINER = mergeType({
  env: mergedBy('name'),
  ports: mergedBy('containerPort'),
  volumeDevices: mergedBy('devicePath'),
  volumeMounts: mergedBy('mountPath'),
});

/** How a strategic merge patch treats the spec of a pod. */
export const POD_SPEC_MERGE: MergeType = mergeType({
  containers: mergedBy('name', CONTAINER),
  initContainers: mergedBy('name', CONTAINER),
  ephemeralContainers: mergedBy('name', CONTAINER),
  hostAliases: mergedBy('ip'),
  imagePullSecrets: mergedBy('name'),
  resourceClaims: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
  schedulingGates: mergedBy('name'),
  topologySpreadConstraints: mergedBy('topologyKey'),
  volumes: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
});
