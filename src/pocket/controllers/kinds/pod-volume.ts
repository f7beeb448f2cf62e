import type { JsonObject } from '../../../base/index.ts';
import type { ResourceReference } from './container.ts';
import type { Meta } from './meta.ts';

export interface KeyToPath extends JsonObject {
  key: string;
  path: string;
  mode?: number;
}

export interface DownwardItem extends JsonObject {
  path: string;
  fieldRef?: { fieldPath: string };
  resourceFieldRef?: ResourceReference;
  mode?: number;
}

/** One source of a projected volume; volumes of a single source look the same. */
export interface Projection extends JsonObject {
  configMap?: { name: string; items?: KeyToPath[]; optional?: boolean };
  secret?: { name: string; items?: KeyToPath[]; optional?: boolean };
  downwardAPI?: { items?: DownwardItem[] };
  serviceAccountToken?: { path: string };
  clusterTrustBundle?: JsonObject;
  podCertificate?: JsonObject;
}

export interface Volume extends JsonObject {
  name: string;
  configMap?: { name: string; items?: KeyToPath[]; optional?: boolean; defaultMode?: number };
  secret?: { secretName: string; items?: KeyToPath[]; optional?: boolean; defaultMode?: number };
  downwardAPI?: { items?: DownwardItem[]; defaultMode?: number };
  projected?: { sources?: Projection[]; defaultMode?: number };
  emptyDir?: { medium?: string };
  hostPath?: { path: string; type?: string };
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
  /** A claim that lives and dies with the pod. */
  ephemeral?: { volumeClaimTemplate?: { metadata?: Partial<Meta>; spec: JsonObject } };
}
