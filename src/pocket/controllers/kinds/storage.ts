import type { JsonObject } from '../../../base/index.ts';
import type { KubeObject, LabelSelector } from './meta.ts';
import type { NodeSelectorTerm } from './pod.ts';

export interface ClaimReference extends JsonObject {
  kind?: string;
  apiVersion?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

export interface VolumeSpec extends JsonObject {
  capacity?: { storage?: string };
  accessModes?: string[];
  claimRef?: ClaimReference;
  storageClassName?: string;
  volumeMode?: string;
  persistentVolumeReclaimPolicy?: string;
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
  local?: { path: string };
  hostPath?: { path: string };
}

export interface VolumeObject extends KubeObject {
  spec: VolumeSpec;
  status?: { phase?: string; reason?: string; message?: string; lastPhaseTransitionTime?: string };
}

export interface ClaimSpec extends JsonObject {
  accessModes?: string[];
  resources?: { requests?: { storage?: string } };
  selector?: LabelSelector;
  storageClassName?: string;
  volumeName?: string;
  volumeMode?: string;
}

export interface Claim extends KubeObject {
  spec: ClaimSpec;
  status?: { phase?: string; accessModes?: string[]; capacity?: { storage?: string } };
}

export interface StorageClass extends KubeObject {
  provisioner: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
}
