import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ClusterFiles } from './cluster-files.ts';
import { PAUSE } from './image/index.ts';
import type { Machine } from './machine.ts';

/** Inside a machine the usual places are its own. */
export const CONTAINERD_SOCKET = '/run/containerd/containerd.sock';

/** Writes what containerd and the kubelet are told, and says where it is. */
export function writeNodeConfig(files: ClusterFiles, machine: Machine): { containerd: string; kubelet: string } {
  const path = (file: string) => join(machine.directory, file);
  const cni = path('cni');
  mkdirSync(cni, { recursive: true });
  writeFileSync(join(cni, '10-bridge.conflist'), JSON.stringify(cniConfig(machine.network.pods)));
  writeFileSync(path('containerd.toml'), containerdConfig(cni));
  writeFileSync(path('kubelet.yaml'), stringify(kubeletConfig(files, machine)));
  return { containerd: path('containerd.toml'), kubelet: path('kubelet.yaml') };
}

function cniConfig(pods: string): object {
  const ipam = { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }] };
  return {
    cniVersion: '1.0.0',
    name: 'bed',
    plugins: [{ type: 'bridge', bridge: 'cni0', isGateway: true, hairpinMode: true, ipam }],
  };
}

function containerdConfig(cni: string): string {
  return `version = 2
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]

[grpc]
  address = "${CONTAINERD_SOCKET}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE}"
  # Some machines do not let us, and runc would die of it.
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${cni}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;
}

function kubeletConfig(files: ClusterFiles, { network, cgroup }: Machine): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: network.node,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: false },
      x509: { clientCAFile: files.path('ca.crt') },
    },
    authorization: { mode: 'AlwaysAllow' },
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    // Nobody answers there, and says so at once: there are no names in the clusters of a bed.
    clusterDNS: [network.node],
    clusterDomain: 'cluster.local',
    volumePluginDir: '/var/lib/kubelet/volume-plugins',
    maxPods: 250,
    serializeImagePulls: false,
    registryPullQPS: 0,
    // Events are what the tests look for, and by default they trickle.
    eventRecordQPS: 200,
    eventBurst: 400,
    kubeAPIQPS: 200,
    kubeAPIBurst: 400,
    // A machine that is nearly full is the tester's own affair, and images cannot be had again.
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 100,
  };
}
