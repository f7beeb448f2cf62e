export const title = 'objects that differ, kind by kind: left with a warning, or updated as far as the API allows';
export const namespaces = ['c18'];

const objects = `apiVersion: v1
kind: ServiceAccount
metadata: {name: sa, namespace: c18, labels: {a: old}}
imagePullSecrets: [{name: one}]
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: c18}
stringData: {k: old}
---
apiVersion: v1
kind: Service
metadata: {name: svc, namespace: c18}
spec: {selector: {app: x}, ports: [{name: http, port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: c18, annotations: {note: old}}
spec: {replicas: 0, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: role, namespace: c18}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: frozen, namespace: c18}
data: {k: old}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: labels, namespace: c18, labels: {a: "1", b: "2"}}
data: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: same, namespace: c18}
data: {k: v}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb, namespace: c18}
spec: {minAvailable: 1, selector: {matchLabels: {app: x}}}`;
const KINDS = 'cm,secrets,services,serviceaccounts,deployments,roles,poddisruptionbudgets';

export async function run({ apply, makeNamespaces, backup, restore, dump, k, v, until }) {
  await makeNamespaces('c18');
  await until('service account', async () => (await k('-n', 'c18', 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(objects);
  const b = await backup('c18-b', '--include-namespaces', 'c18');
  const change = async (kind, name, patch) => {
    await k('-n', 'c18', 'patch', kind, name, '--type=merge', '-p', JSON.stringify(patch));
  };
  await change('sa', 'sa', { metadata: { labels: { a: 'new', c: 'd' } }, imagePullSecrets: [{ name: 'two' }] });
  await change('secret', 's', { data: { k: 'bmV3', extra: 'bmV3' } });
  await change('service', 'svc', {
    spec: {
      selector: { app: 'y' },
      ports: [
        { name: 'http', port: 81 },
        { name: 'more', port: 90 },
      ],
    },
  });
  await change('deployment', 'web', {
    metadata: { annotations: { note: 'new' } },
    spec: { paused: true, minReadySeconds: 3 },
  });
  await change('role', 'role', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }] });
  await change('cm', 'frozen', { data: { k: 'new' }, immutable: true });
  await change('cm', 'labels', { metadata: { labels: { a: 'changed', b: null, c: '3' } } });
  await change('pdb', 'pdb', { spec: { minAvailable: null, maxUnavailable: 1 } });
  const r1 = await restore('c18-r1', 'c18-b');
  const a1 = await dump('c18', KINDS);
  const w1 = await warnings(v, 'c18-r1');
  const r2 = await restore('c18-r2', 'c18-b', '--existing-resource-policy', 'update');
  const a2 = await dump('c18', KINDS);
  return { b, r1, a1, w1, r2, a2 };
}

/** Which objects `describe` warns about, without the words. */
async function warnings(v, name) {
  const { out } = await v('restore', 'describe', name);
  return out
    .split('\n')
    .flatMap((line) => /could not restore, (\S+) already exists/.exec(line)?.[1] ?? [])
    .filter((object) => !/kube-root-ca|Endpoint|ReplicaSet/.test(object))
    .sort();
}
