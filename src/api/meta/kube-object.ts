import type { JsonObject } from '../../base/index.ts';

/** Any object of a Kubernetes API, of a known kind or not: unknown fields are kept, integers beyond 2^53 are bigint. */
export interface KubeObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: KubeMeta;
}

export interface KubeMeta extends JsonObject {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}
