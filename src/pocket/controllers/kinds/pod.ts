import type { Json, JsonObject } from '../../../base/index.ts';
import type { Condition, KubeObject, Meta } from './meta.ts';

export interface Container extends JsonObject {
  name: string;
  image?: string;
  restartPolicy?: string;
  ports?: { name?: string; containerPort: number; protocol?: string }[];
}

export interface Volume extends JsonObject {
  name: string;
  persistentVolumeClaim?: { claimName: string };
  /** A claim that lives and dies with the pod. */
  ephemeral?: { volumeClaimTemplate?: { metadata?: Partial<Meta>; spec: JsonObject } };
}

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
}

export interface PodStatus extends JsonObject {
  phase?: string;
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
