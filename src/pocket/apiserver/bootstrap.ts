import type { JsonObject } from '../../base/index.ts';
import { snapshotCrds } from '../builtins/index.ts';
import type { ApiServer } from './api-server.ts';
import { scalarTextAt } from './object/index.ts';
import { createObject } from './registry/index.ts';

interface Standing {
  group: string;
  plural: string;
  namespace: string;
  object: JsonObject;
}

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const KUBERNETES_SERVICE: JsonObject = {
  metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    clusterIP: '10.96.0.1',
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
};

const standing = (): Standing[] => [
  ...NAMESPACES.map((name) => ({ group: '', plural: 'namespaces', namespace: '', object: { metadata: { name } } })),
  { group: '', plural: 'services', namespace: 'default', object: KUBERNETES_SERVICE },
  ...snapshotCrds().map((object) => ({
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    namespace: '',
    object,
  })),
];

/** What every cluster has from its first moment on. Adds only what is missing. */
export async function bootstrap({ types, registry, store }: ApiServer): Promise<void> {
  for (const { group, plural, namespace, object } of standing()) {
    const resource = types.find(group, 'v1', plural);
    if (resource === undefined) throw new TypeError(`the table of built-in kinds lacks ${plural}`);
    const isThere = store.get(resource.storage, namespace, scalarTextAt(object, 'metadata', 'name')) !== undefined;
    if (!isThere) await createObject(registry, { resource, namespace }, structuredClone(object));
  }
}
