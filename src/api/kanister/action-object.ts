/** The object of an action as an ActionSet names it: Kanister's clients write an empty text for what they leave out. */
export interface ActionObject {
  apiVersion?: string | undefined;
  group?: string | undefined;
  resource?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
}

/** A kind that an ActionSet may name without saying where its objects are served. */
export interface KnownKind {
  kind: 'StatefulSet' | 'Deployment' | 'DeploymentConfig' | 'PVC' | 'Namespace';
  group: string;
  version: string;
  resource: string;
}

const KNOWN: Readonly<Record<string, KnownKind>> = {
  statefulset: { kind: 'StatefulSet', group: 'apps', version: 'v1', resource: 'statefulsets' },
  deployment: { kind: 'Deployment', group: 'apps', version: 'v1', resource: 'deployments' },
  deploymentconfig: {
    kind: 'DeploymentConfig',
    group: 'apps.openshift.io',
    version: 'v1',
    resource: 'deploymentconfigs',
  },
  pvc: { kind: 'PVC', group: '', version: 'v1', resource: 'persistentvolumeclaims' },
  namespace: { kind: 'Namespace', group: '', version: 'v1', resource: 'namespaces' },
};

/** Undefined for any other kind, and for `unstructured`. */
export function knownKind({ kind = '' }: ActionObject): KnownKind | undefined {
  return Object.hasOwn(KNOWN, kind.toLowerCase()) ? KNOWN[kind.toLowerCase()] : undefined;
}

/** Whether it can be read at all: its kind is known, or where it is served is told. */
export function isReadable(object: ActionObject): boolean {
  const { kind = '', apiVersion = '', resource = '' } = object;
  return (
    knownKind(object) !== undefined || kind.toLowerCase() === 'unstructured' || (apiVersion !== '' && resource !== '')
  );
}
