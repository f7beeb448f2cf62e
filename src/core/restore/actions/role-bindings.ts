import { textAt, type JsonObject } from '../../../base/index.ts';
import { mapObjects, withValue } from '../fields.ts';
import { mapNamespace, type NamespaceMapping } from '../namespace-mapping.ts';
import { changed, type RestoreAction } from './action.ts';

/** Subjects move with their namespace. */
export const roleBindingsAction: RestoreAction = {
  name: 'velero.io/role-bindings',
  appliesTo: ['rolebindings.rbac.authorization.k8s.io'],
  execute: ({ item, restore }) => changed(withMappedSubjects(item, restore.spec.namespaceMapping ?? {})),
};

export const clusterRoleBindingsAction: RestoreAction = {
  ...roleBindingsAction,
  name: 'velero.io/cluster-role-bindings',
  appliesTo: ['clusterrolebindings.rbac.authorization.k8s.io'],
};

function withMappedSubjects(item: JsonObject, mapping: NamespaceMapping): JsonObject {
  return mapObjects(item, ['subjects'], (subject) => {
    const namespace = textAt(subject, 'namespace');
    if (namespace === undefined) return subject;
    return withValue(subject, ['namespace'], mapNamespace(namespace, mapping));
  });
}
