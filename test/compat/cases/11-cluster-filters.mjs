export const title =
  'cluster-scoped objects: never, always, and those that belong to what is selected; old and new filters';
export const namespaces = ['c11'];

const label = 'c11=yes';
const objects = `apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: c11, labels: {c11: "yes"}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: c11-reader, labels: {c11: "yes"}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: c11-alone, labels: {c11: "yes"}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: c11-reader, labels: {c11: "yes"}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: c11-reader}
subjects: [{kind: ServiceAccount, name: runner, namespace: c11}]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: c11-first, labels: {c11: "yes"}}
value: 1000`;

export async function run({ apply, makeNamespaces, backup, restore, names, wipe, k, configMap, secret, docs }) {
  const within = ['--include-namespaces', 'c11'];
  const removed = async () => {
    await wipe('c11');
    await k('delete', 'clusterroles,clusterrolebindings,priorityclasses', '-l', label);
  };
  const left = async () => [
    await names('c11', 'cm,secrets,sa'),
    (await k('get', 'clusterroles,clusterrolebindings,priorityclasses', '-l', label, '-o', 'name')).split('\n'),
  ];
  await makeNamespaces('c11');
  await apply(docs(objects, configMap('c11', 'm', { c11: 'yes' }), secret('c11', 's', { c11: 'yes' })));
  const b = {
    auto: await backup('c11-auto', ...within),
    never: await backup('c11-never', ...within, '--include-cluster-resources=false'),
    always: await backup('c11-always', ...within, '--include-cluster-resources=true', '--selector', label),
    named: await backup(
      'c11-named',
      ...within,
      '--include-resources',
      'configmaps,priorityclasses',
      '--selector',
      label,
    ),
    newOnes: await backup(
      'c11-new',
      ...within,
      '--include-cluster-scoped-resources=priorityclasses,clusterroles',
      '--include-namespace-scoped-resources=configmaps',
      '--selector',
      label,
    ),
    newNot: await backup(
      'c11-not',
      ...within,
      '--exclude-cluster-scoped-resources=clusterroles.rbac.authorization.k8s.io',
      '--exclude-namespace-scoped-resources=secrets',
    ),
    newAll: await backup('c11-all', '--include-cluster-scoped-resources=*', '--selector', label),
    mixed: await backup('c11-mixed', '--include-cluster-scoped-resources=*', '--include-resources', 'pods'),
  };
  await removed();
  const r1 = await restore('c11-r1', 'c11-auto');
  const a1 = await left();
  await removed();
  const r2 = await restore('c11-r2', 'c11-always', '--include-cluster-resources=false');
  const a2 = await left();
  const r3 = await restore('c11-r3', 'c11-always', ...within);
  const a3 = await left();
  await removed();
  return { b, r1, a1, r2, a2, r3, a3 };
}
