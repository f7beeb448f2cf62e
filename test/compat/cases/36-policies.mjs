export const title = 'resource policies choose single kinds by labels and names, in backups and restores';
export const namespaces = ['c36-a', 'c36-b', 'c36-c'];
const cm = (ns, name, text) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: ns }, data: { p: text } });
const fine = `version: v1
namespacedFilterPolicies:
- namespaces: [c36-a]
  resourceFilters:
  - kinds: [configmaps]
    names: ["web-*"]
    excludedNames: ["*-old"]
  - kinds: [Secret]
    labelSelector: {matchLabels: {app: x}}
- namespaces: ["c36-*"]
  resourceFilters:
  - kinds: ["*"]
    orLabelSelectors: [{matchLabels: {app: x}}, {matchLabels: {app: y}}]
clusterScopedFilterPolicy:
  resourceFilters:
  - kinds: [clusterroles]
    names: [c36-one]
`;
const incl = `version: v1
includeExcludePolicy:
  includedNamespaceScopedResources: [configmaps, sa]
  excludedNamespaceScopedResources: [secrets]
  includedClusterScopedResources: [clusterroles]
`;
export async function run({ apply, makeNamespaces, backup, restore, names, wipe, configMap, secret, docs, k }) {
  await makeNamespaces('c36-a', 'c36-b');
  const L = (app) => ({ app });
  for (const ns of ['c36-a', 'c36-b'])
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
          `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c36-${n}, labels: {c36: "yes"}}\nrules: []`,
      )
      .join('\n---\n'),
  );
  await apply(cm('velero', 'c36-fine', fine));
  await apply(cm('velero', 'c36-incl', incl));
  const P = ['--resource-policies-configmap', 'c36-fine'];
  const b1 = await backup('c36-b1', '--include-namespaces', 'c36-a,c36-b', ...P);
  const b2 = await backup('c36-b2', '--include-namespaces', 'c36-a,c36-b', '--selector', 'app=y', ...P);
  const b3 = await backup(
    'c36-b3',
    '--include-namespaces',
    'c36-a,c36-b',
    '--include-cluster-scoped-resources',
    'clusterroles',
    ...P,
    '--selector',
    'c36=yes',
  );
  const b4 = await backup('c36-b4', '--include-namespaces', 'c36-a', '--include-resources', 'configmaps', ...P);
  const b5 = await backup(
    'c36-b5',
    '--include-namespaces',
    'c36-a',
    '--resource-policies-configmap',
    'c36-incl',
    '--selector',
    'app in (x)',
  );
  const b6 = await backup('c36-b6', '--include-namespaces', 'c36-a', '--resource-policies-configmap', 'c36-none');
  const all = await backup('c36-all', '--include-namespaces', 'c36-a,c36-b');
  await wipe('c36-a', 'c36-b');
  const r1 = await restore('c36-r1', 'c36-all', ...P);
  await wipe('c36-a', 'c36-b');
  const r2 = await restore('c36-r2', 'c36-all', '--selector', 'app=y', ...P);
  await wipe('c36-a', 'c36-b');
  const r3 = await restore('c36-r3', 'c36-all', '--namespace-mappings', 'c36-a:c36-c', ...P);
  const r4 = await restore('c36-r4', 'c36-all', '--resource-policies-configmap', 'c36-incl');
  const r5 = await restore('c36-r5', 'c36-all', '--resource-policies-configmap', 'c36-none');
  await k('delete', 'clusterroles', '-l', 'c36=yes');
  await k('-n', 'velero', 'delete', 'cm', 'c36-fine', 'c36-incl');
  return { b1, b2, b3, b4, b5, b6, all, r1, r2, r3, r4, r5 };
}
