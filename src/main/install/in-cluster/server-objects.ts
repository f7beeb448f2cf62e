import { objectAt, objectsAt } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { shipped } from '../manifests.ts';

export interface InCluster {
  namespace: string;
  image: string;
  /** Names besides those of the Service, such as an Ingress'. */
  allowedHosts: readonly string[];
  /** The Secret with the certificate of the page. */
  tlsSecret: string;
}

/** Also the names of the Deployment, of its pods' label and of the Service. */
export const SERVER = 'headway';
/** The certificate that is made here where the user has none. */
export const OWN_TLS_SECRET = 'headway-tls';
export const SERVER_PODS = `app.kubernetes.io/name=${SERVER}`;

/** Names by which programs in the cluster reach the page. */
export function serviceHosts(namespace: string): string[] {
  return ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map((rest) => SERVER + rest);
}

/** Deployment and Service of deploy/in-cluster.yaml, with what the user chose. */
export function serverObjects({ namespace, image, allowedHosts, tlsSecret }: InCluster): KubeObject[] {
  const flags: Readonly<Record<string, string>> = {
    namespace,
    // Movers are the same program.
    'mover-image': image,
    'allowed-hosts': [...serviceHosts(namespace), ...allowedHosts].join(','),
  };
  return shipped('in-cluster.yaml', namespace).map((object) => {
    if (object.kind !== 'Deployment') return object;
    const spec = objectAt(object, 'spec');
    const pod = objectAt(spec, 'template', 'spec');
    const containers = objectsAt(pod, 'containers').map((container) => ({
      ...container,
      image,
      args: (container['args'] as string[]).map((arg) => withValue(arg, flags)),
    }));
    const volumes = objectsAt(pod, 'volumes').map((volume) =>
      volume['name'] === 'tls' ? { ...volume, secret: { secretName: tlsSecret } } : volume,
    );
    const template = { ...objectAt(spec, 'template'), spec: { ...pod, containers, volumes } };
    return { ...object, spec: { ...spec, template } };
  });
}

/** `--namespace=velero` with another value. */
function withValue(arg: string, flags: Readonly<Record<string, string>>): string {
  const name = /^--([\w-]+)=/.exec(arg)?.[1] ?? '';
  const value = Object.hasOwn(flags, name) ? flags[name] : undefined;
  return value === undefined ? arg : `--${name}=${value}`;
}
