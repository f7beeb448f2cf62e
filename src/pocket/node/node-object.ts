import { arch, cpus, totalmem } from 'node:os';
import type { JsonObject } from '../../base/index.ts';
import { NODE_NAME } from '../controllers/node-name.ts';
import { microTimestamp, timestamp } from '../controllers/timestamp.ts';

export const NODE_IP = '127.0.0.1';
export const LEASE_SECONDS = 40;

/** Of the Kubernetes the cluster follows; the API server says the same. */
const VERSION = 'v1.36.3+pocket';
const MAX_PODS = 65_000;

/** Node names architectures as Go does. */
function goArch(): string {
  const name = arch();
  if (name === 'x64') return 'amd64';
  return name === 'ia32' ? '386' : name;
}

/** How the node runs pods, as one of its conditions. */
export interface SandboxFacts {
  isReady: boolean;
  reason: string;
  message: string;
}

/** `podPrefix` is the first half of the addresses of pods. */
export function nodeObject(podPrefix: string): JsonObject {
  const podCIDR = `${podPrefix}0.0/16`;
  const labels = {
    'beta.kubernetes.io/arch': goArch(),
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': goArch(),
    'kubernetes.io/hostname': NODE_NAME,
    'kubernetes.io/os': 'linux',
  };
  return { metadata: { name: NODE_NAME, labels }, spec: { podCIDR, podCIDRs: [podCIDR] } };
}

const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

export const SANDBOX_CONDITION = 'PodSandboxReady';

export function nodeStatus(now: number, sandbox: SandboxFacts): JsonObject {
  const time = timestamp(now);
  const memory = `${Math.floor(totalmem() / 1024)}Ki`;
  const capacity = {
    cpu: String(cpus().length),
    'ephemeral-storage': '100Gi',
    memory,
    pods: String(MAX_PODS),
  };
  return {
    capacity,
    allocatable: capacity,
    conditions: [
      ...CONDITIONS,
      [SANDBOX_CONDITION, sandbox.isReady ? 'True' : 'False', sandbox.reason, sandbox.message] as const,
    ].map(([type, status, reason, message]) => ({
      type,
      status,
      reason,
      message,
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    })),
    addresses: [
      { type: 'InternalIP', address: NODE_IP },
      { type: 'Hostname', address: NODE_NAME },
    ],
    nodeInfo: {
      architecture: goArch(),
      bootID: NODE_NAME,
      containerRuntimeVersion: 'pocket://1',
      kernelVersion: 'none',
      kubeProxyVersion: '',
      kubeletVersion: VERSION,
      machineID: NODE_NAME,
      operatingSystem: 'linux',
      osImage: 'Headway pocket',
      systemUUID: NODE_NAME,
    },
  };
}

export function leaseObject(nodeUid: string, now: number): JsonObject {
  return {
    metadata: {
      name: NODE_NAME,
      namespace: 'kube-node-lease',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: NODE_NAME, uid: nodeUid }],
    },
    spec: { holderIdentity: NODE_NAME, leaseDurationSeconds: LEASE_SECONDS, renewTime: microTimestamp(now) },
  };
}
