export const title = 'modifiers: rules that follow one another, patterns of types, and rules that do not fit';
export const namespaces = ['c26'];
const m = (name, text) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'velero' }, data: { p: text } });
const rules = `version: v1
resourceModifierRules:
- conditions: {groupResource: configmaps, resourceNameRegex: "^one$"}
  patches:
  - {operation: replace, path: /data/k, value: "\\"2\\""}
  - {operation: add, path: /metadata/labels, value: "{\\"tier\\":\\"new\\"}"}
- conditions: {groupResource: configmaps, matches: [{path: /data/k, value: v}], resourceNameRegex: "^one$"}
  mergePatches: [{patchData: "data: {second: \\"true\\"}"}]
- conditions: {groupResource: configmaps, labelSelector: {matchLabels: {tier: new}}}
  mergePatches: [{patchData: "data: {third: \\"true\\"}"}]
- conditions: {groupResource: "{secrets,serviceaccounts}", namespaces: [c26]}
  mergePatches: [{patchData: "metadata: {labels: {braces: \\"yes\\"}}"}]
- conditions: {groupResource: "**", resourceNameRegex: "^two$"}
  mergePatches: [{patchData: "metadata: {labels: {stars: \\"yes\\"}}"}]
- conditions: {groupResource: clusterroles.rbac.authorization.k8s.io, namespaces: [other], resourceNameRegex: "^c26-"}
  mergePatches: [{patchData: "metadata: {labels: {cluster: \\"yes\\"}}"}]
- conditions: {groupResource: deployments.apps}
  patches: [{operation: replace, path: /spec/replicas, value: 0}, {operation: add, path: /spec/paused, value: true}]
`;
const bad = `version: v1
resourceModifierRules:
- conditions: {groupResource: configmaps, resourceNameRegex: "^one$"}
  patches: [{operation: replace, path: /data/none, value: x}]
- conditions: {groupResource: configmaps, resourceNameRegex: "^two$"}
  patches: [{operation: remove, path: /data/none}]
- conditions: {groupResource: secrets}
  patches: [{operation: copy, from: /data/none, path: /data/x}]
`;
export async function run({ apply, makeNamespaces, backup, restore, dump, wipe, k, configMap, secret, docs }) {
  await makeNamespaces('c26');
  await apply(
    docs(
      configMap('c26', 'one'),
      configMap('c26', 'two'),
      secret('c26', 's'),
      `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: runner, namespace: c26}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c26-one}\nrules: []\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: c26-one}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: c26-one}\nsubjects: [{kind: ServiceAccount, name: runner, namespace: c26}]\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: two, namespace: c26}\nspec: {replicas: 3, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {nodeSelector: {no: such}, containers: [{name: c, image: "none/none:1"}]}}}`,
    ),
  );
  await apply(m('c26-rules', rules));
  await apply(m('c26-bad', bad));
  const b = await backup('c26-b', '--include-namespaces', 'c26');
  const gone = async () => {
    await wipe('c26');
    await k('delete', 'clusterrole,clusterrolebinding', 'c26-one', '--ignore-not-found');
  };
  await gone();
  const r1 = await restore('c26-r1', 'c26-b', '--resource-modifier-configmap', 'c26-rules');
  const a1 = await dump('c26', 'cm,secrets,sa,deployments'),
    c1 = await dump(undefined, 'clusterrole/c26-one');
  await gone();
  const r2 = await restore('c26-r2', 'c26-b', '--resource-modifier-configmap', 'c26-bad');
  const a2 = await dump('c26', 'cm,secrets');
  await gone();
  await k('-n', 'velero', 'delete', 'cm', 'c26-rules', 'c26-bad');
  return { b, r1, a1, c1, r2, a2 };
}
