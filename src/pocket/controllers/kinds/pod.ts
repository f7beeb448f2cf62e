import type { Json, JsonObject } from '../../../base/index.ts';
import type { Container, SecurityContext } from './container.ts';
import type { Condition, KubeObject, Meta } from './meta.ts';
import type { Volume } from './pod-volume.ts';

export interface NodeSelectorTerm extends JsonObject {
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
  matchFields?: { key: string; operator: string; values?: string[] }[];
}

export interface Affinity extends JsonObject {
  nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
}

export interface Toleration extends JsonObject {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

export interface PodSpec extends JsonObject {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  affinity?: Affinity;
  tolerations?: Toleration[];
  schedulerName?: string;
  schedulingGates?: { name: string }[];
  restartPolicy?: string;
  hostNetwork?: boolean;
  enableServiceLinks?: boolean;
  serviceAccountName?: string;
  securityContext?: SecurityContext;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  hostAliases?: { ip: string; hostnames?: string[] }[];
  hostname?: string;
  subdomain?: string;
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  readinessGates?: { conditionType: string }[];
}

export interface ContainerStatus extends JsonObject {
  name: string;
  ready: boolean;
  state: Record<string, Json>;
  lastState?: Record<string, Json>;
  restartCount?: number;
  started?: boolean;
  containerID?: string;
}

export interface PodStatus extends JsonObject {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: Condition[];
  podIP?: string;
  startTime?: string;
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus;
}

export interface PodTemplate extends JsonObject {
  metadata?: Partial<Meta>;
  spec: PodSpec;
}
