import type { JsonObject } from '../../../base/index.ts';
import type { KubeObject } from './meta.ts';

export interface ServicePort extends JsonObject {
  name?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
  protocol?: string;
  appProtocol?: string;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    publishNotReadyAddresses?: boolean;
  };
}

export interface Subset extends JsonObject {
  addresses?: JsonObject[];
  notReadyAddresses?: JsonObject[];
  ports?: JsonObject[];
}

export interface Endpoints extends KubeObject {
  subsets?: Subset[];
}

export interface Endpoint extends JsonObject {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  /** The API has null for empty lists. */
  endpoints: Endpoint[] | null;
  ports?: JsonObject[] | null;
}
