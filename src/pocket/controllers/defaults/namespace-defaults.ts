import { CONFIG_MAPS, NAMESPACES, SERVICE_ACCOUNTS } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey } from '../loop.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';

const ACCOUNT = 'default';
const ROOT_CA = 'kube-root-ca.crt';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Every namespace has a default service account and the certificate authority of the cluster. */
export function namespaceDefaultsController({ client }: ControllerDeps, caPem: string): Controller {
  // Config maps are many; those of other names are not even parsed.
  const ofNamespace =
    (wanted: string) =>
    ({ namespace, name }: { namespace: string; name: string }): string[] =>
      name === wanted ? [`/${namespace}`] : [];
  return {
    name: 'namespace-defaults',
    watches: [
      watch(NAMESPACES),
      watch(SERVICE_ACCOUNTS, ofNamespace(ACCOUNT)),
      watch(CONFIG_MAPS, ofNamespace(ROOT_CA)),
    ],
    reconcile: async ({ name: namespace }: ObjectKey) => {
      const owner = client.get(NAMESPACES, '', namespace);
      if (owner === undefined || isGoing(owner)) return undefined;
      if (client.get(SERVICE_ACCOUNTS, namespace, ACCOUNT) === undefined) {
        await client.create(SERVICE_ACCOUNTS, { metadata: { name: ACCOUNT, namespace } });
      }
      const data = { 'ca.crt': caPem };
      const existing = client.get(CONFIG_MAPS, namespace, ROOT_CA);
      const annotations = { 'kubernetes.io/description': DESCRIPTION };
      if (existing === undefined) {
        await client.create(CONFIG_MAPS, { metadata: { name: ROOT_CA, namespace, annotations }, data });
      } else if (existing.data?.['ca.crt'] !== caPem) {
        await client.update(CONFIG_MAPS, { ...existing, data });
      }
      return undefined;
    },
  };
}
