export const title = 'jobs lose what their controller gave them, what is over is not restored, owners are forgotten';
export const namespaces = ['c15', 'c15-new'];

const never = 'restartPolicy: Never, nodeSelector: {no: such}, containers: [{name: c, image: "none/none:1"}]';
const objects = `apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: c15}
---
apiVersion: batch/v1
kind: Job
metadata: {name: waiting, namespace: c15}
spec: {suspend: true, template: {spec: {${never}}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: manual, namespace: c15}
spec:
  suspend: true
  manualSelector: true
  selector: {matchLabels: {job: mine}}
  template: {metadata: {labels: {job: mine}}, spec: {${never}}}
---
apiVersion: v1
kind: Pod
metadata: {name: alive, namespace: c15}
spec: {serviceAccountName: runner, ${never}}
---
apiVersion: v1
kind: Pod
metadata: {name: done, namespace: c15}
spec: {${never}}
---
apiVersion: v1
kind: Pod
metadata: {name: broken, namespace: c15}
spec: {${never}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: c15}
spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {nodeSelector: {no: such}, containers: [{name: c, image: "none/none:1"}]}}}`;

export async function run({ apply, makeNamespaces, backup, restore, dump, k, kjson, until }) {
  await makeNamespaces('c15');
  await until('service account', async () => (await k('-n', 'c15', 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(objects);
  await until(
    'the pod of web',
    async () => (await kjson('-n', 'c15', 'get', 'pods', '-l', 'app=web')).items.length === 1,
  );
  for (const [name, phase] of [
    ['done', 'Succeeded'],
    ['broken', 'Failed'],
  ]) {
    await k(
      '-n',
      'c15',
      'patch',
      'pod',
      name,
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status: { phase } }),
    );
  }
  const owner = await kjson('-n', 'c15', 'get', 'job', 'manual');
  const { apiVersion, kind, metadata } = owner;
  const owned = {
    name: 'owned',
    namespace: 'c15',
    ownerReferences: [{ apiVersion, kind, name: 'manual', uid: metadata.uid }],
  };
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: owned, data: { k: 'v' } }));
  const b = await backup('c15-b', '--include-namespaces', 'c15');
  const r = await restore('c15-r', 'c15-b', '--namespace-mappings', 'c15:c15-new');
  await until('web is adopted', async () => {
    const { items } = await kjson('-n', 'c15-new', 'get', 'replicasets');
    return items.length === 1 && items[0].metadata.ownerReferences?.length === 1;
  });
  const pods = await kjson('-n', 'c15-new', 'get', 'pods');
  return {
    b,
    r,
    jobs: await dump('c15-new', 'jobs,cm,deployments'),
    pods: pods.items.map((pod) => pod.metadata.name.replace(/^web-.*/, 'web-…')).sort(),
    alive: (({ nodeName, priority, serviceAccountName, volumes, nodeSelector }) => ({
      nodeName,
      priority,
      serviceAccountName,
      // The token of its service account is the server's own matter.
      volumes: (volumes ?? []).filter(({ name }) => !name.startsWith('kube-api-access')).length,
      nodeSelector,
    }))(pods.items.find((pod) => pod.metadata.name === 'alive').spec),
  };
}
