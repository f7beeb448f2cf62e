import type { Case } from '../case.ts';

/** Small objects for the cases; a fresh one per call, because cases change them. */
export const configMap = (name: string, extra: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...extra },
  data: { a: '1' },
});

export const deployment = (name: string, replicas = 2) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'registry.example.com/c:1' }] },
    },
  },
});

export const pod = (name: string, extra: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...extra },
  // No node has this name, so that no scheduler, kubelet or simulated node touches the pod.
  spec: {
    nodeSelector: { 'contract.example.com/nowhere': 'true' },
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'registry.example.com/c:1' }],
  },
});

export const service = (name: string, spec: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
});

export const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
export const pods = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
export const services = (namespace: string) => `/api/v1/namespaces/${namespace}/services`;
export const deployments = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** One request is the whole case. */
export const ask = (name: string, run: Case['run']): Case => ({ name, run });

/** Fields of an answer, for cases that are about these and nothing else. */
export function pick(answer: { body: unknown }, ...path: string[]): unknown {
  let value = answer.body;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}
