import type { JsonObject } from '../../../base/index.ts';

interface KeyReference extends JsonObject {
  name: string;
  key: string;
  optional?: boolean;
}

export interface ResourceReference extends JsonObject {
  containerName?: string;
  resource: string;
  divisor?: string;
}

/** Where the value of a variable comes from; one of them is there. */
export interface EnvSource extends JsonObject {
  configMapKeyRef?: KeyReference;
  secretKeyRef?: KeyReference;
  fieldRef?: { fieldPath: string };
  resourceFieldRef?: ResourceReference;
}

export interface HttpGet extends JsonObject {
  path?: string;
  port: number | string;
  host?: string;
  scheme?: string;
  httpHeaders?: { name: string; value: string }[];
}

export interface Probe extends JsonObject {
  exec?: { command?: string[] };
  httpGet?: HttpGet;
  tcpSocket?: { port: number | string; host?: string };
  grpc?: JsonObject;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

export interface Handler extends JsonObject {
  exec?: { command?: string[] };
  httpGet?: HttpGet;
  tcpSocket?: { port: number | string; host?: string };
  sleep?: { seconds: number };
}

export interface VolumeMount extends JsonObject {
  name: string;
  mountPath: string;
  subPath?: string;
  subPathExpr?: string;
  readOnly?: boolean;
}

export interface SecurityContext extends JsonObject {
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  privileged?: boolean;
  /** Of pods only. */
  fsGroup?: number;
}

export interface Container extends JsonObject {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  restartPolicy?: string;
  ports?: { name?: string; containerPort: number; hostPort?: number; protocol?: string }[];
  env?: { name: string; value?: string; valueFrom?: EnvSource }[];
  envFrom?: {
    prefix?: string;
    configMapRef?: { name: string; optional?: boolean };
    secretRef?: { name: string; optional?: boolean };
  }[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  volumeMounts?: VolumeMount[];
  volumeDevices?: JsonObject[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { postStart?: Handler; preStop?: Handler };
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
}
