export const title = 'completed jobs, mirror pods and tokens stay behind; init hooks and priority classes come along';
export const namespaces = ['c39'];
const never = 'restartPolicy: Never, nodeSelector: {no: such}, containers: [{name: c, image: "none/none:1"}]';
const objects = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: c39-first}
value: 1000
---
apiVersion: batch/v1
kind: Job
metadata: {name: done, namespace: c39}
spec: {suspend: true, template: {spec: {${never}}}}
---
apiVersion: v1
kind: Pod
metadata: {name: plain, namespace: c39, annotations: {init.hook.restore.velero.io/container-image: "none/init:1", init.hook.restore.velero.io/container-name: mine, init.hook.restore.velero.io/command: '["/bin/sh","-c","date"]'}}
spec: {priorityClassName: c39-first, ${never}}
---
apiVersion: v1
kind: Pod
metadata: {name: spec, namespace: c39, labels: {app: x}}
spec: {${never}}
---
apiVersion: v1
kind: Pod
metadata: {name: mirror, namespace: c39, annotations: {kubernetes.io/config.mirror: abc}}
spec: {nodeName: none, ${never}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: c39}
secrets: [{name: runner-token-bcdf5}, {name: runner-dockercfg}]
imagePullSecrets: [{name: pull}]
---
apiVersion: v1
kind: Secret
metadata: {name: runner-token-bcdf5, namespace: c39, annotations: {kubernetes.io/service-account.name: runner}}
type: kubernetes.io/service-account-token
---
apiVersion: v1
kind: Secret
metadata: {name: mytoken, namespace: c39, annotations: {kubernetes.io/service-account.name: runner}}
type: kubernetes.io/service-account-token
---
apiVersion: v1
kind: LimitRange
metadata: {name: lr, namespace: c39}
spec: {limits: [{type: Container, default: {cpu: 1m}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa, namespace: c39}
spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing, namespace: c39}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: manual, namespace: c39}
subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota, namespace: c39}
spec: {hard: {configmaps: "20"}}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lease, namespace: c39}
spec: {holderIdentity: me}`;

/** As its controller would leave it. */
const time = '2026-01-01T00:00:01Z';
const condition = (type) => ({ type, status: 'True', lastProbeTime: time, lastTransitionTime: time });
const completed = {
  startTime: '2026-01-01T00:00:00Z',
  completionTime: time,
  succeeded: 1,
  conditions: ['SuccessCriteriaMet', 'Complete'].map(condition),
};
const hooks = {
  resources: [
    {
      name: 'h',
      includedNamespaces: ['c39'],
      labelSelector: { matchLabels: { app: 'x' } },
      postHooks: [{ init: { timeout: '1m', initContainers: [{ name: 'i1', image: 'none/i:1', command: ['date'] }] } }],
    },
  ],
};

export async function run({ apply, makeNamespaces, backup, waitFor, resourceList, dump, wipe, v, k, kjson, until }) {
  await makeNamespaces('c39');
  await until('service account', async () => (await k('-n', 'c39', 'get', 'sa', 'default', '-o', 'name')) !== '');
  for (const object of objects.split('\n---\n')) await apply(object);
  const status = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status: completed })];
  await k('-n', 'c39', 'patch', 'job', 'done', ...status);
  const b = await backup('c39-b', '--include-namespaces', 'c39');
  await wipe('c39');
  await k('delete', 'priorityclass', 'c39-first');
  const restore = { apiVersion: 'velero.io/v1', kind: 'Restore', metadata: { name: 'c39-r', namespace: 'velero' } };
  await apply(JSON.stringify({ ...restore, spec: { backupName: 'c39-b', hooks } }));
  const { phase, errors = 0, progress } = (await waitFor('restores', 'c39-r')).status;
  const list = resourceList((await v('restore', 'describe', 'c39-r', '--details')).out);
  const pods = (await kjson('-n', 'c39', 'get', 'pods')).items.map(({ metadata, spec }) => [
    metadata.name,
    (spec.initContainers ?? []).map(({ name, image, command }) => [name, image, command]),
    spec.priority,
  ]);
  const account = await kjson('-n', 'c39', 'get', 'sa', 'runner');
  const rest = Object.keys(await dump('c39', 'secrets,jobs,hpa,ing,endpoints,quota,leases,limitranges')).sort();
  await k('delete', 'priorityclass', 'c39-first', '--ignore-not-found');
  return {
    b,
    r: { phase, errors, isCounted: progress.itemsRestored === progress.totalItems, list },
    pods,
    account: [account.secrets, account.imagePullSecrets],
    rest,
  };
}
