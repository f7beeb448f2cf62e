import type { ClusterCredentials } from './credentials.ts';

/** A kubeconfig with one context, `pocket-NAME`. */
export function kubeconfigText(name: string, url: string, credentials: ClusterCredentials): string {
  const context = `pocket-${name}`;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const isTls = url.startsWith('https:');
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${context}`,
    'clusters:',
    `- name: ${context}`,
    '  cluster:',
    `    server: ${url}`,
    ...(isTls ? [`    certificate-authority-data: ${base64(credentials.ca)}`] : []),
    'contexts:',
    `- name: ${context}`,
    '  context:',
    `    cluster: ${context}`,
    `    user: ${context}`,
    '    namespace: default',
    'users:',
    `- name: ${context}`,
    '  user:',
    `    client-certificate-data: ${base64(credentials.adminCert)}`,
    `    client-key-data: ${base64(credentials.adminKey)}`,
    `    token: ${credentials.token}`,
  ];
  return `${lines.join('\n')}\n`;
}
