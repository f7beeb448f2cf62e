export const title = 'resource policies choose single kinds by labels and names, in backups and restores';
export const namespaces = ['c24-a', 'c24-b', 'c24-c'];
const cm = (ns, name, text) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: ns }, data: { p: text } });
const fine = `version: v1
namespacedFilterPolicies:
- namespaces: [c24-a]
  resourceFilters:
  - kinds: [configmaps]
    names: ["web-*"]
    excludedNames: ["*-old"]
  - kinds: [Secret]
    labelSelector: {matchLabels: {app: x}}
- namespaces: ["c24-*"]
  resourceFilters:
  - kinds: ["*"]
    orLabelSelectors: [{matchLabels: {app: x}}, {matchLabels: {app: y}}]
clusterScopedFilterPolicy:
  resourceFilters:
  - kinds: [clusterroles]
    names: [c24-one]
`;
const incl = `version: v1
includeExcludePolicy:
  includedNamespaceScopedResources: [configmaps, sa]
  excludedNamespaceScopedResources: [secrets]
  includedClusterScopedResources: [clusterroles]
`;
export async function run({ apply, makeNamespaces, backup, restore, names, wipe, configMap, secret, docs, k }) {
  await makeNamespaces('c24-a', 'c24-b');
  const L = (app) => ({ app });
  for (const ns of ['c24-a', 'c24-b'])
    await apply(
      docs(
        configMap(ns, 'web-1'),
        configMap(ns, 'web-old'),
        configMap(ns, 'other', L('x')),
        secret(ns, 's1', L('x')),
        secret(ns, 's2', L('y')),
        secret(ns, 's3'),
        `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: sa, namespace: ${ns}, labels: {app: x}}`,
      ),
    );
  await apply(
    ['one', 'two']
      .map(
        (n) =>
          `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c24-${n}, labels: {c24: "yes"}}\nrules: []`,
      )
      .join('\n---\n'),
  );
  await apply(cm('velero', 'c24-fine', fine));
  await apply(cm('velero', 'c24-incl', incl));
  const P = ['--resource-policies-configmap', 'c24-fine'];
  const b1 = await backup('c24-b1', '--include-namespaces', 'c24-a,c24-b', ...P);
  const b2 = await backup('c24-b2', '--include-namespaces', 'c24-a,c24-b', '--selector', 'app=y', ...P);
  const b3 = await backup(
    'c24-b3',
    '--include-namespaces',
    'c24-a,c24-b',
    '--include-cluster-scoped-resources',
    'clusterroles',
    ...P,
    '--selector',
    'c24=yes',
  );
  const b4 = await backup('c24-b4', '--include-namespaces', 'c24-a', '--include-resources', 'configmaps', ...P);
  const b5 = await backup(
    'c24-b5',
    '--include-namespaces',
    'c24-a',
    '--resource-policies-configmap',
    'c24-incl',
    '--selector',
    'app in (x)',
  );
  const b6 = await backup('c24-b6', '--include-namespaces', 'c24-a', '--resource-policies-configmap', 'c24-none');
  const all = await backup('c24-all', '--include-namespaces', 'c24-a,c24-b');
  await wipe('c24-a', 'c24-b');
  const r1 = await restore('c24-r1', 'c24-all', ...P);
  await wipe('c24-a', 'c24-b');
  const r2 = await restore('c24-r2', 'c24-all', '--selector', 'app=y', ...P);
  await wipe('c24-a', 'c24-b');
  const r3 = await restore('c24-r3', 'c24-all', '--namespace-mappings', 'c24-a:c24-c', ...P);
  const r4 = await restore('c24-r4', 'c24-all', '--resource-policies-configmap', 'c24-incl');
  const r5 = await restore('c24-r5', 'c24-all', '--resource-policies-configmap', 'c24-none');
  await k('delete', 'clusterroles', '-l', 'c24=yes');
  await k('-n', 'velero', 'delete', 'cm', 'c24-fine', 'c24-incl');
  return { b1, b2, b3, b4, b5, b6, all, r1, r2, r3, r4, r5 };
}
