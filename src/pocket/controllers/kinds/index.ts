/**
 * The built-in kinds as the controllers and the node read them: only the fields they use.
 * It must never decide anything.
 */
export type { Condition, KubeObject, LabelSelector, Meta, OwnerReference } from './meta.ts';
export type {
  Affinity,
  ContainerStatus,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplate,
  Toleration,
} from './pod.ts';
export type { Container, EnvSource, Handler, HttpGet, Probe, SecurityContext, VolumeMount } from './container.ts';
export type { DownwardItem, KeyToPath, Projection, Volume } from './pod-volume.ts';
export type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './workload.ts';
export type { CronJob, Job, JobSpec, JobStatus } from './batch.ts';
export type { Claim, ClaimReference, ClaimSpec, StorageClass, VolumeObject, VolumeSpec } from './storage.ts';
export type { Endpoint, Endpoints, EndpointSlice, Service, ServicePort, Subset } from './network.ts';
export type { ConfigMap, DisruptionBudget, Lease, Namespace, Node, Secret, ServiceAccount, Taint } from './cluster.ts';
export {
  CLAIMS,
  CONFIG_MAPS,
  CONTROLLER_REVISIONS,
  CRON_JOBS,
  CUSTOM_RESOURCE_DEFINITIONS,
  DAEMON_SETS,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ENDPOINTS,
  ENDPOINT_SLICES,
  EVENTS,
  JOBS,
  LEASES,
  NAMESPACES,
  NODES,
  PODS,
  PRIORITY_CLASSES,
  REPLICA_SETS,
  SECRETS,
  SERVICES,
  SERVICE_ACCOUNTS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VOLUMES,
} from './resources.ts';
