/** A name, or several, for an address. */
export interface HostLine {
  ip: string;
  names: readonly string[];
}

const HEAD = [
  '# Kubernetes-managed hosts file.',
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

/** What a pod has as /etc/hosts: itself first, then its aliases, then the services of the cluster, since there is no DNS. */
export function hostsText(lines: readonly HostLine[]): string {
  return [...HEAD, ...lines.map(({ ip, names }) => `${ip}\t${names.join(' ')}`), ''].join('\n');
}

const DOMAIN = 'svc.cluster.local';

/** The names by which a pod of a namespace finds a service; the short one only beside it. */
export function serviceNames(name: string, namespace: string, podNamespace: string): string[] {
  const long = [`${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.${DOMAIN}`];
  return namespace === podNamespace ? [name, ...long] : long;
}
