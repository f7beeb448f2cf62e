import type { JsonObject } from '../../../base/index.ts';
import type { Condition, KubeObject, LabelSelector } from './meta.ts';

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}

export interface Taint extends JsonObject {
  key: string;
  value?: string;
  effect: string;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[] };
  status?: JsonObject;
}

export interface Lease extends KubeObject {
  spec?: { renewTime?: string };
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  /** In base64. */
  binaryData?: Record<string, string>;
}

export interface Secret extends KubeObject {
  /** In base64. */
  data?: Record<string, string>;
}

export type ServiceAccount = KubeObject;

export interface DisruptionBudget extends KubeObject {
  spec?: { minAvailable?: number | string; maxUnavailable?: number | string; selector?: LabelSelector };
  status?: { conditions?: Condition[]; [key: string]: unknown } & JsonObject;
}
