import { AppError } from '../../../base/index.ts';

/** The object of an action as an ActionSet names it: Kanister's clients write an empty text for what they leave out. */
export interface ActionObject {
  apiVersion?: string | undefined;
  group?: string | undefined;
  resource?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
}

/** What to read from the cluster for it. */
export interface Target {
  /** Which parameters templates get; `object` alone for anything else. */
  kind: 'StatefulSet' | 'Deployment' | 'DeploymentConfig' | 'PVC' | 'Namespace' | 'other';
  group: string;
  version: string;
  resource: string;
  /** Undefined for what lives in none. */
  namespace: string | undefined;
  name: string;
}

type Known = Pick<Target, 'kind' | 'group' | 'version' | 'resource'>;
const KNOWN: Readonly<Record<string, Known>> = {
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

/** Throws `invalid` for a kind that is not known and not described by its resource. */
export function actionTarget(object: ActionObject): Target {
  const { kind = '', name = '', namespace = '', apiVersion = '', resource = '' } = object;
  const known = Object.hasOwn(KNOWN, kind.toLowerCase()) ? KNOWN[kind.toLowerCase()] : undefined;
  if (known !== undefined) return { ...known, name, namespace: known.kind === 'Namespace' ? undefined : namespace };
  if (kind.toLowerCase() !== 'unstructured' && (apiVersion === '' || resource === '')) {
    const kinds = 'StatefulSet, Deployment, DeploymentConfig, PVC or Namespace';
    throw new AppError(
      'invalid',
      `object: expected the kind ${kinds}, or apiVersion and resource of another, got ${kind === '' ? 'none' : kind}`,
    );
  }
  return {
    kind: 'other',
    // kanctl writes it with a slash behind it.
    group: (object.group ?? '').replace(/\/+$/, ''),
    version: apiVersion,
    resource,
    namespace: namespace === '' ? undefined : namespace,
    name,
  };
}
