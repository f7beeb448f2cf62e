import type { ClusterFiles } from './cluster-files.ts';
import { programPath } from './cache.ts';
import type { Command } from './launch.ts';
import { type PartName, partNamed } from './parts.ts';

const QUOTA_BYTES = 4 * 1024 ** 3;

/** One etcd that need not survive a power cut. */
export function etcdCommand(files: ClusterFiles): Command {
  const client = `http://127.0.0.1:${files.ports.etcd}`;
  const peer = `http://127.0.0.1:${files.ports.peer}`;
  return command(files, 'etcd', {
    name: 'bed',
    'data-dir': files.path('etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `bed=${peer}`,
    'quota-backend-bytes': String(QUOTA_BYTES),
    'unsafe-no-fsync': 'true',
    // A member alone has nobody to wait for.
    'heartbeat-interval': '10',
    'election-timeout': '100',
    'log-level': 'warn',
  });
}

/** `extra` flags come last, so that they win. */
export function apiserverCommand(files: ClusterFiles, extra: readonly string[]): Command {
  const base = command(files, 'kube-apiserver', {
    'etcd-servers': `http://127.0.0.1:${files.ports.etcd}`,
    'bind-address': files.address,
    'advertise-address': files.address,
    'secure-port': String(files.ports.apiserver),
    'tls-cert-file': files.path('server.crt'),
    'tls-private-key-file': files.path('server.key'),
    'client-ca-file': files.path('ca.crt'),
    'token-auth-file': files.path('tokens.csv'),
    'authorization-mode': 'Node,RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': files.path('service-accounts.pub'),
    'service-account-signing-key-file': files.path('service-accounts.key'),
    'service-cluster-ip-range': files.network?.services ?? '10.96.0.0/16',
    'allow-privileged': 'true',
    ...(files.network ? forNodes(files) : WITHOUT_NODES),
  });
  return { ...base, args: [...base.args, ...extra] };
}

// There is no node that could reach a loopback address, so the Service "kubernetes" gets no endpoints.
const WITHOUT_NODES = { 'endpoint-reconciler-type': 'none' };

function forNodes(files: ClusterFiles): Record<string, string> {
  return {
    'kubelet-client-certificate': files.path('admin.crt'),
    'kubelet-client-key': files.path('admin.key'),
    // By name it would look for the node in the DNS.
    'kubelet-preferred-address-types': 'InternalIP',
  };
}

export function schedulerCommand(files: ClusterFiles): Command {
  return command(files, 'kube-scheduler', {
    kubeconfig: files.path('admin.kubeconfig'),
    'leader-elect': 'false',
    'bind-address': '127.0.0.1',
    'secure-port': '0',
    'kube-api-qps': '200',
    'kube-api-burst': '400',
  });
}

export function controllerManagerCommand(files: ClusterFiles): Command {
  return command(files, 'kube-controller-manager', {
    kubeconfig: files.path('admin.kubeconfig'),
    controllers: '*',
    'leader-elect': 'false',
    'service-account-private-key-file': files.path('service-accounts.key'),
    'root-ca-file': files.path('ca.crt'),
    'cluster-signing-cert-file': files.path('ca.crt'),
    'cluster-signing-key-file': files.path('ca.key'),
    'bind-address': '127.0.0.1',
    // It serves nothing we need; its health shows in what it does.
    'secure-port': '0',
    'kube-api-qps': '200',
    'kube-api-burst': '400',
    ...(files.network && { 'enable-hostpath-provisioner': 'true' }),
  });
}

export function command(files: ClusterFiles, part: PartName, flags: Record<string, string>): Command {
  return {
    name: `${files.name}-${part}`,
    program: programPath(partNamed(part)),
    args: Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
  };
}
