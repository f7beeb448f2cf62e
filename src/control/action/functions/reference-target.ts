import { AppError, isObjectName } from '../../../base/index.ts';
import type { ObjectReference } from '../../../core/action/index.ts';
import type { NamedTarget } from '../../../edge/kube/index.ts';

/** What a reference of Kanister means. Throws `invalid` for one that names nothing. */
export function referenceTarget(reference: ObjectReference, otherwise = ''): NamedTarget {
  const { apiVersion, group, resource, kind, name } = reference;
  if (resource === '' || apiVersion === '') {
    throw new AppError('invalid', 'objectReference: expected apiVersion and resource');
  }
  if (!isObjectName(name)) throw new AppError('invalid', `objectReference: "${name}" is no name of an object`);
  const namespace = reference.namespace === '' ? otherwise : reference.namespace;
  const type = { group, version: apiVersion, plural: resource, kind, namespaced: namespace !== '' };
  return { type, name, ...(namespace === '' ? {} : { namespace }) };
}
