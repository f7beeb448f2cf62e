import { objectAt, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import type { ItemKey } from '../../progress/index.ts';
import type { PureItemAction } from './item-action.ts';

const BINDINGS = 'clusterrolebindings.rbac.authorization.k8s.io';
const ROLES = 'clusterroles.rbac.authorization.k8s.io';

/** A service account brings its cluster-wide rights: its ClusterRoleBindings and their ClusterRoles. */
export function serviceAccountAction(clusterRoleBindings: readonly JsonObject[]): PureItemAction {
  const bySubject = new Map<string, { bindings: Set<string>; roles: Set<string> }>();
  for (const binding of clusterRoleBindings) {
    const name = textAt(binding, 'metadata', 'name');
    const role = textAt(objectAt(binding, 'roleRef'), 'name');
    for (const subject of objectsAt(binding, 'subjects')) {
      if (subject['kind'] !== 'ServiceAccount' || name === undefined) continue;
      const key = `${textAt(subject, 'namespace') ?? ''}/${textAt(subject, 'name') ?? ''}`;
      const rights = bySubject.get(key) ?? { bindings: new Set(), roles: new Set() };
      bySubject.set(key, rights);
      rights.bindings.add(name);
      if (role !== undefined) rights.roles.add(role);
    }
  }
  return {
    name: 'velero.io/service-account',
    appliesTo: (groupResource) => groupResource === 'serviceaccounts',
    run({ key: { namespace, name } }) {
      const rights = bySubject.get(`${namespace ?? ''}/${name}`);
      if (rights === undefined) return { additional: [] };
      return { additional: [...keys(BINDINGS, rights.bindings), ...keys(ROLES, rights.roles)] };
    },
  };
}

function keys(groupResource: string, names: ReadonlySet<string>): ItemKey[] {
  return [...names].toSorted().map((name) => ({ groupResource, name }));
}
