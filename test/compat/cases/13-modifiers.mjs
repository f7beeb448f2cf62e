export const title =
  'resource modifiers: json patches with tests, merge patches and strategic ones; wrong ones are named';
export const namespaces = ['c13'];

const rules = `version: v1
resourceModifierRules:
- conditions: {groupResource: deployments.apps, resourceNameRegex: "^web.*$", namespaces: [c13]}
  patches:
  - {operation: replace, path: /spec/replicas, value: "0"}
  - {operation: add, path: /spec/template/spec/containers/1, value: "{\\"name\\": \\"side\\", \\"image\\": \\"none/side:1\\"}"}
- conditions: {groupResource: configmaps, labelSelector: {matchLabels: {app: x}}}
  patches:
  - {operation: test, path: /data/k, value: v}
  - {operation: copy, from: /data/k, path: /data/copied}
  - {operation: remove, path: /data/k}
- conditions: {groupResource: configmaps, resourceNameRegex: "^merged$"}
  mergePatches:
  - patchData: |
      {"metadata": {"labels": {"added": "yes"}}, "data": {"k": null, "other": "1"}}
- conditions:
    groupResource: configmaps
    matches: [{path: /data/k, value: only}]
  mergePatches: [{patchData: "data: {matched: \\"true\\"}"}]
- conditions: {groupResource: deployments.apps, resourceNameRegex: "^web$"}
  strategicPatches:
  - patchData: |
      {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "none/new:2"}]}}}}
`;
const map = (name, text) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'velero' },
    data: { 'rules.yaml': text },
  });

export async function run({ apply, makeNamespaces, backup, restore, dump, wipe, k, configMap, docs }) {
  await makeNamespaces('c13');
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: c13}
spec: {replicas: 0, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}`;
  const maps = [
    configMap('c13', 'patched', { app: 'x' }),
    configMap('c13', 'not-patched', { app: 'x' }, { k: 'w' }),
    configMap('c13', 'merged'),
    configMap('c13', 'matching', {}, { k: 'only' }),
    configMap('c13', 'plain'),
  ];
  await apply(
    docs(deployment, ...maps, map('c13-rules', rules), map('c13-bad', 'version: v1\nresourceModifierRules: 3')),
  );
  const b = await backup('c13-b', '--include-namespaces', 'c13');
  await wipe('c13');
  const r = await restore('c13-r', 'c13-b', '--resource-modifier-configmap', 'c13-rules');
  const after = await dump('c13', 'cm,deployments');
  const bad = await restore('c13-bad', 'c13-b', '--resource-modifier-configmap', 'c13-bad');
  const missing = await restore('c13-missing', 'c13-b', '--resource-modifier-configmap', 'c13-nowhere');
  await k('-n', 'velero', 'delete', 'cm', 'c13-rules', 'c13-bad');
  return { b, r, after, bad, missing };
}
