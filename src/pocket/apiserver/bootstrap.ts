import type { JsonObject } from '../../base/index.ts';
import { snapshotCrds } from '../builtins/index.ts';
import type { ApiServer } from './api-server.ts';
import { scalarTextAt } from './object/index.ts';
import { createObject, deleteObject, type RegistryDeps } from './registry/index.ts';

interface Standing {
  group: string;
  plural: string;
  namespace: string;
  object: JsonObject;
}

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const kubernetesService = (clusterIP: string): JsonObject => ({
  metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    clusterIP,
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
});

const standing = (servicePrefix: string): Standing[] => [
  ...NAMESPACES.map((name) => ({ group: '', plural: 'namespaces', namespace: '', object: { metadata: { name } } })),
  { group: '', plural: 'services', namespace: 'default', object: kubernetesService(`${servicePrefix}0.1`) },
  ...snapshotCrds().map((object) => ({
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    namespace: '',
    object,
  })),
];

/** What every cluster has from its first moment on. Adds only what is missing. */
export async function bootstrap({ types, registry, store }: ApiServer): Promise<void> {
  await forgetOldAddress(registry);
  for (const { group, plural, namespace, object } of standing(registry.servicePrefix)) {
    const resource = types.find(group, 'v1', plural);
    if (resource === undefined) throw new TypeError(`the table of built-in kinds lacks ${plural}`);
    const isThere = store.get(resource.storage, namespace, scalarTextAt(object, 'metadata', 'name')) !== undefined;
    if (!isThere) await createObject(registry, { resource, namespace }, structuredClone(object));
  }
}

/** The range of services changes when pods become processes; the cluster's own service moves with it. */
async function forgetOldAddress(registry: RegistryDeps): Promise<void> {
  const [namespace, name] = ['default', 'kubernetes'];
  const stored = registry.store.get('services', namespace, name);
  const resource = registry.types.find('', 'v1', 'services');
  const ip = scalarTextAt(stored?.object, 'spec', 'clusterIP');
  if (resource === undefined || ip === '' || ip.startsWith(registry.servicePrefix)) return;
  await deleteObject(registry, { resource, namespace, name }, {});
}
