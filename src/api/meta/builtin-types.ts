import type { ResourceType } from './resource-type.ts';

const core = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

/** The built-in Kubernetes types that Headway names; all others come from discovery. */
export const NAMESPACE: ResourceType = core('Namespace', 'namespaces', false);
export const POD: ResourceType = core('Pod', 'pods');
export const CONFIG_MAP: ResourceType = core('ConfigMap', 'configmaps');
export const SECRET: ResourceType = core('Secret', 'secrets');
export const NODE: ResourceType = core('Node', 'nodes', false);
export const PERSISTENT_VOLUME_CLAIM: ResourceType = core('PersistentVolumeClaim', 'persistentvolumeclaims');
export const PERSISTENT_VOLUME: ResourceType = core('PersistentVolume', 'persistentvolumes', false);
export const EVENT: ResourceType = core('Event', 'events');
export const DEPLOYMENT: ResourceType = { ...core('Deployment', 'deployments'), group: 'apps' };
export const LEASE: ResourceType = { ...core('Lease', 'leases'), group: 'coordination.k8s.io' };
export const STORAGE_CLASS: ResourceType = {
  ...core('StorageClass', 'storageclasses', false),
  group: 'storage.k8s.io',
};
export const CLUSTER_ROLE_BINDING: ResourceType = {
  ...core('ClusterRoleBinding', 'clusterrolebindings', false),
  group: 'rbac.authorization.k8s.io',
};
export const CUSTOM_RESOURCE_DEFINITION: ResourceType = {
  ...core('CustomResourceDefinition', 'customresourcedefinitions', false),
  group: 'apiextensions.k8s.io',
};
