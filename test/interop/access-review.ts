import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { valueAt } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import type { Right } from './access-rules.ts';
import type { Access } from './audit-log.ts';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const REVIEW = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

/** A right to nothing, by which it is seen that the API server has heard of a grant: it learns of them by watching. */
const MARK = { group: 'mark.example.com', verb: 'get' };

/** Gives a user these rights and no others, and waits until the API server knows. */
export async function grant(kube: KubeClient, user: string, rights: readonly Right[]): Promise<void> {
  const rulesOf = (isNamespaced: boolean): object[] => [
    ...rights
      .filter((right) => right.isNamespaced === isNamespaced)
      .map(({ group, resource, verb, resourceNames }) => ({
        apiGroups: [group],
        resources: [resource],
        verbs: [verb],
        ...(resourceNames === undefined ? {} : { resourceNames }),
      })),
    { apiGroups: [MARK.group], resources: [isNamespaced ? 'role-marks' : 'cluster-marks'], verbs: [MARK.verb] },
  ];
  const create = async (kind: string, more: object): Promise<void> => {
    const namespaced = !kind.startsWith('Cluster');
    const at = namespaced ? { namespace: 'velero' } : {};
    const type = { ...RBAC, kind, plural: `${kind.toLowerCase()}s`, namespaced };
    const object = { apiVersion: `${RBAC.group}/v1`, kind, metadata: { name: user, ...at }, ...more };
    await kube.create({ type, ...at }, object);
  };
  const subjects = [{ apiGroup: RBAC.group, kind: 'User', name: user }];
  const to = (kind: string): object => ({ subjects, roleRef: { apiGroup: RBAC.group, kind, name: user } });
  await Promise.all([
    create('Role', { rules: rulesOf(true) }),
    create('RoleBinding', to('Role')),
    create('ClusterRole', { rules: rulesOf(false) }),
    create('ClusterRoleBinding', to('ClusterRole')),
  ]);
  for (const resource of ['role-marks', 'cluster-marks']) {
    const mark = { ...MARK, resource, subresource: '', namespace: 'velero', name: '' };
    await eventually(
      async () => {
        if (!(await may(kube, user, mark))) throw new Error(`${user} has no ${resource} yet`);
      },
      { withinMs: 30_000 },
    );
  }
}

/** What the API server's own authorizers say. */
export async function may(kube: KubeClient, user: string, access: Access): Promise<boolean> {
  const resourceAttributes = Object.fromEntries(Object.entries(access).filter(([, value]) => value !== ''));
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} };
  const object = { ...review, spec: { user, resourceAttributes } } as unknown as KubeObject;
  return valueAt(await kube.create({ type: REVIEW }, object), 'status', 'allowed') === true;
}
