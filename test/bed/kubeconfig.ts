import { stringify } from 'yaml';

export interface KubeconfigEntry {
  /** Cluster, user and context have this one name. */
  name: string;
  server: string;
  caPem: string;
  user: { token: string } | { certPem: string; keyPem: string };
}

/** A kubeconfig with everything inline; the first entry is the current context. */
export function kubeconfig(entries: readonly KubeconfigEntry[]): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': entries[0]?.name ?? '',
    clusters: entries.map(({ name, server, caPem }) => ({
      name,
      cluster: { server, 'certificate-authority-data': base64(caPem) },
    })),
    users: entries.map(({ name, user }) => ({
      name,
      user:
        'token' in user
          ? { token: user.token }
          : { 'client-certificate-data': base64(user.certPem), 'client-key-data': base64(user.keyPem) },
    })),
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
