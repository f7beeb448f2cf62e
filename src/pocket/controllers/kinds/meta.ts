import type { JsonObject } from '../../../base/index.ts';
import type { ApiMeta, ApiObject } from '../../apiserver/object/index.ts';

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface Meta extends ApiMeta {
  ownerReferences?: OwnerReference[];
}

export interface KubeObject extends ApiObject {
  metadata: Meta;
}

export interface LabelSelector extends JsonObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Condition extends JsonObject {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}
