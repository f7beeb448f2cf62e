import type { Json, JsonObject } from '../../../base/index.ts';
import type { Condition, KubeObject, LabelSelector, Meta } from './meta.ts';
import type { PodTemplate } from './pod.ts';
import type { ClaimSpec } from './storage.ts';

export interface ReplicaSet extends KubeObject {
  spec: { replicas?: number; minReadySeconds?: number; selector: LabelSelector; template: PodTemplate };
  status?: {
    replicas?: number;
    fullyLabeledReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    terminatingReplicas?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    paused?: boolean;
    minReadySeconds?: number;
    progressDeadlineSeconds?: number;
    revisionHistoryLimit?: number;
    selector: LabelSelector;
    template: PodTemplate;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    unavailableReplicas?: number;
    collisionCount?: number;
    conditions?: Condition[];
  };
}

interface ClaimTemplate extends JsonObject {
  metadata: Partial<Meta> & { name: string };
  spec: ClaimSpec;
}

export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number;
    serviceName?: string;
    minReadySeconds?: number;
    podManagementPolicy?: string;
    revisionHistoryLimit?: number;
    ordinals?: { start?: number };
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
    selector: LabelSelector;
    template: PodTemplate;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    volumeClaimTemplates?: ClaimTemplate[];
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    currentReplicas?: number;
    updatedReplicas?: number;
    currentRevision?: string;
    updateRevision?: string;
    collisionCount?: number;
  };
}

export interface DaemonSet extends KubeObject {
  spec: {
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    selector: LabelSelector;
    template: PodTemplate;
    updateStrategy?: { type?: string };
  };
  status?: JsonObject;
}

export interface ControllerRevision extends KubeObject {
  revision: number;
  data: Json;
}
