import type { TypeOf } from '../../apiserver/client/index.ts';
import type { ConfigMap, DisruptionBudget, Lease, Namespace, Node, Secret, ServiceAccount } from './cluster.ts';
import type { CronJob, Job } from './batch.ts';
import type { KubeObject } from './meta.ts';
import type { Endpoints, EndpointSlice, Service } from './network.ts';
import type { Pod } from './pod.ts';
import type { Claim, StorageClass, VolumeObject } from './storage.ts';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './workload.ts';

function inNamespace<T extends KubeObject>(group: string, kind: string, plural: string): TypeOf<T> {
  return { group, version: 'v1', kind, plural, namespaced: true };
}

function inCluster<T extends KubeObject>(group: string, kind: string, plural: string): TypeOf<T> {
  return { group, version: 'v1', kind, plural, namespaced: false };
}

export const CONFIG_MAPS = inNamespace<ConfigMap>('', 'ConfigMap', 'configmaps');
export const CLAIMS = inNamespace<Claim>('', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const ENDPOINTS = inNamespace<Endpoints>('', 'Endpoints', 'endpoints');
export const EVENTS = inNamespace<KubeObject>('', 'Event', 'events');
export const NAMESPACES = inCluster<Namespace>('', 'Namespace', 'namespaces');
export const NODES = inCluster<Node>('', 'Node', 'nodes');
export const PODS = inNamespace<Pod>('', 'Pod', 'pods');
export const SECRETS = inNamespace<Secret>('', 'Secret', 'secrets');
export const SERVICES = inNamespace<Service>('', 'Service', 'services');
export const SERVICE_ACCOUNTS = inNamespace<ServiceAccount>('', 'ServiceAccount', 'serviceaccounts');
export const VOLUMES = inCluster<VolumeObject>('', 'PersistentVolume', 'persistentvolumes');
export const CONTROLLER_REVISIONS = inNamespace<ControllerRevision>(
  'apps',
  'ControllerRevision',
  'controllerrevisions',
);
export const DAEMON_SETS = inNamespace<DaemonSet>('apps', 'DaemonSet', 'daemonsets');
export const DEPLOYMENTS = inNamespace<Deployment>('apps', 'Deployment', 'deployments');
export const REPLICA_SETS = inNamespace<ReplicaSet>('apps', 'ReplicaSet', 'replicasets');
export const STATEFUL_SETS = inNamespace<StatefulSet>('apps', 'StatefulSet', 'statefulsets');
export const CRON_JOBS = inNamespace<CronJob>('batch', 'CronJob', 'cronjobs');
export const JOBS = inNamespace<Job>('batch', 'Job', 'jobs');
export const ENDPOINT_SLICES = inNamespace<EndpointSlice>('discovery.k8s.io', 'EndpointSlice', 'endpointslices');
export const LEASES = inNamespace<Lease>('coordination.k8s.io', 'Lease', 'leases');
export const DISRUPTION_BUDGETS = inNamespace<DisruptionBudget>(
  'policy',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
);
export const STORAGE_CLASSES = inCluster<StorageClass>('storage.k8s.io', 'StorageClass', 'storageclasses');
export const PRIORITY_CLASSES = inCluster<KubeObject>('scheduling.k8s.io', 'PriorityClass', 'priorityclasses');
export const CUSTOM_RESOURCE_DEFINITIONS = inCluster<KubeObject>(
  'apiextensions.k8s.io',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
