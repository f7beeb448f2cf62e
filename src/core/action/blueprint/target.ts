import { isReadable, knownKind, type ActionObject, type KnownKind } from '../../../api/kanister/action-object.ts';
import { AppError } from '../../../base/index.ts';

/** What to read from the cluster for the object of an action. */
export interface Target {
  /** Which parameters templates get; `object` alone for anything else. */
  kind: KnownKind['kind'] | 'other';
  group: string;
  version: string;
  resource: string;
  /** Undefined for what lives in none. */
  namespace: string | undefined;
  name: string;
}

/** Throws `invalid` for a kind that is not known and not described by its resource. */
export function actionTarget(object: ActionObject): Target {
  const { kind = '', name = '', namespace = '', apiVersion = '', resource = '' } = object;
  const known = knownKind(object);
  if (known !== undefined) return { ...known, name, namespace: known.kind === 'Namespace' ? undefined : namespace };
  if (!isReadable(object)) {
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
