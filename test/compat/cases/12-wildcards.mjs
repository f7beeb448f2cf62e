export const title =
  'globs of namespaces, namespaces that are not to be backed up, two mappings into one and into one that exists';
export const namespaces = ['c12-a1', 'c12-a2', 'c12-b1', 'c12-skip', 'c12-there', 'c12-new'];

export async function run({ apply, makeNamespaces, backup, restore, dump, names, wipe, exists, k, configMap, docs }) {
  await makeNamespaces('c12-a1', 'c12-a2', 'c12-b1', 'c12-there');
  await apply(`apiVersion: v1
kind: Namespace
metadata: {name: c12-skip, labels: {velero.io/exclude-from-backup: "true"}}`);
  const rbac = `apiVersion: v1
kind: ServiceAccount
metadata: {name: sa, namespace: c12-a1}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: c12-reader}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: c12-reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: c12-reader}
subjects: [{kind: ServiceAccount, name: sa, namespace: c12-a1}, {kind: Group, name: people}]`;
  const maps = ['c12-a1', 'c12-a2', 'c12-b1', 'c12-skip'].map((name) => configMap(name, `from-${name}`));
  await apply(docs(rbac, ...maps));
  const of = async (...flags) => (await backup(...flags)).list?.['v1/ConfigMap'];
  const lists = {
    stars: await of('c12-stars', '--include-namespaces', 'c12-a*'),
    marks: await of('c12-marks', '--include-namespaces', 'c12-?1,c12-not-there'),
    classes: await of('c12-classes', '--include-namespaces', 'c12-[ab]?', '--exclude-namespaces', '*-a2'),
    skip: await of('c12-skipped', '--include-namespaces', 'c12-skip,c12-b1'),
  };
  const none = await backup('c12-none', '--include-namespaces', 'c12-zz*');
  const bad = await backup('c12-bad', '--include-namespaces', 'c12-{a,b}');
  await wipe('c12-a1', 'c12-a2', 'c12-b1');
  await k('delete', 'clusterrole,clusterrolebinding', 'c12-reader');
  const mappings = 'c12-a1:c12-new,c12-a2:c12-there';
  const r1 = await restore('c12-r1', 'c12-stars', '--namespace-mappings', mappings);
  const a1 = [await names('c12-new', 'cm,sa'), await names('c12-there', 'cm'), await exists('ns', 'c12-a1')];
  const binding = await dump(undefined, 'clusterrolebindings/c12-reader');
  const r2 = await restore('c12-r2', 'c12-classes', '--include-namespaces', 'c12-b*');
  const a2 = [await exists('ns', 'c12-a1'), await names('c12-b1', 'cm')];
  const both = await restore('c12-r3', 'c12-stars', '--exclude-namespaces', '*');
  await k('delete', 'clusterrole,clusterrolebinding', 'c12-reader');
  return {
    lists,
    none: { phase: none.phase, list: none.list },
    bad: { phase: bad.phase, problems: bad.problems },
    r1,
    a1,
    binding,
    r2,
    a2,
    both: { phase: both.phase, problems: both.problems },
  };
}
