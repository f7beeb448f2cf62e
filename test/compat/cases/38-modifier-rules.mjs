export const title = 'modifiers: rules that follow one another, patterns of types, and rules that do not fit';
export const namespaces = ['c38'];
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
- conditions: {groupResource: "{secrets,serviceaccounts}", namespaces: [c38]}
  mergePatches: [{patchData: "metadata: {labels: {braces: \\"yes\\"}}"}]
- conditions: {groupResource: "**", resourceNameRegex: "^two$"}
  mergePatches: [{patchData: "metadata: {labels: {stars: \\"yes\\"}}"}]
- conditions: {groupResource: clusterroles.rbac.authorization.k8s.io, namespaces: [other], resourceNameRegex: "^c38-"}
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
  await makeNamespaces('c38');
  await apply(
    docs(
      configMap('c38', 'one'),
      configMap('c38', 'two'),
      secret('c38', 's'),
      `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: runner, namespace: c38}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c38-one}\nrules: []\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: c38-one}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: c38-one}\nsubjects: [{kind: ServiceAccount, name: runner, namespace: c38}]\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: two, namespace: c38}\nspec: {replicas: 3, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {nodeSelector: {no: such}, containers: [{name: c, image: "none/none:1"}]}}}`,
    ),
  );
  await apply(m('c38-rules', rules));
  await apply(m('c38-bad', bad));
  const b = await backup('c38-b', '--include-namespaces', 'c38');
  const gone = async () => {
    await wipe('c38');
    await k('delete', 'clusterrole,clusterrolebinding', 'c38-one', '--ignore-not-found');
  };
  await gone();
  const r1 = await restore('c38-r1', 'c38-b', '--resource-modifier-configmap', 'c38-rules');
  const a1 = await dump('c38', 'cm,secrets,sa,deployments'),
    c1 = await dump(undefined, 'clusterrole/c38-one');
  await gone();
  const r2 = await restore('c38-r2', 'c38-b', '--resource-modifier-configmap', 'c38-bad');
  const a2 = await dump('c38', 'cm,secrets');
  await gone();
  await k('-n', 'velero', 'delete', 'cm', 'c38-rules', 'c38-bad');
  return { b, r1, a1, c1, r2, a2 };
}
