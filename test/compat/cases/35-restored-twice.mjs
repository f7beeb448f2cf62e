export const title = 'restored over what exists, a second time, and from a backup of what was restored; odd objects';
export const namespaces = ['c35', 'c35-two', 'c35-there'];

const tpl = '{restartPolicy: Never, nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1"}]}';
const objects = `apiVersion: batch/v1
kind: Job
metadata: {name: done, namespace: c35}
spec: {suspend: true, template: {spec: ${tpl}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cron, namespace: c35}
spec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {suspend: true, template: {spec: ${tpl}}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: fixed, namespace: c35}
immutable: true
data: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: held, namespace: c35, finalizers: [example.com/hold]}
data: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: bin, namespace: c35, annotations: {"weird/key": "a=b,c\\nd"}}
binaryData: {b: AAECAw==}
---
apiVersion: v1
kind: Secret
metadata: {name: tls, namespace: c35}
type: kubernetes.io/tls
data: {tls.crt: "", tls.key: ""}
---
apiVersion: v1
kind: Service
metadata: {name: lb, namespace: c35}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 31555, ports: [{name: a, port: 80, nodePort: 31556}, {name: b, port: 81}]}
---
apiVersion: v1
kind: Service
metadata: {name: ip, namespace: c35}
spec: {ports: [{port: 80, targetPort: web, protocol: UDP}], sessionAffinity: ClientIP, externalIPs: [192.0.2.9]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: c35}
spec: {replicas: 2, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1", env: [{name: A, value: "1"}]}]}}}`;
const KINDS = 'cm,secrets,services,deployments,jobs,cronjobs';

export async function run({
  apply,
  makeNamespaces,
  backup,
  restore,
  dump,
  wipe,
  k,
  kjson,
  until,
  run,
  KUBECTL,
  configMap,
}) {
  await makeNamespaces('c35', 'c35-there');
  await until('service account', async () => (await k('-n', 'c35', 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(objects);
  const generated = { generateName: 'gen-', namespace: 'c35' };
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: generated, data: { k: 'v' } });
  await run(KUBECTL, ['create', '-f', '-'], { input });
  await until('pods', async () => (await kjson('-n', 'c35', 'get', 'pods', '-l', 'app=x')).items.length === 2);
  await apply(configMap('c35-there', 'bin', {}, { mine: '1' }));
  const b = await backup('c35-b', '--include-namespaces', 'c35');
  const free = ['patch', 'cm', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'];
  const freed = async () => {
    for (const namespace of namespaces) await run(KUBECTL, ['-n', namespace, ...free], { check: false });
  };
  const unnamed = (text) => text.replaceAll(/gen-\w+/g, 'gen-…');
  const state = async (namespace) => {
    const found = await dump(namespace, KINDS);
    for (const { kind, spec } of Object.values(found)) if (kind === 'Service') delete spec.healthCheckNodePort;
    const { items } = await kjson('-n', namespace, 'get', 'pods');
    const pods = items.map(({ metadata }) => metadata.name.replace(/^web-.*/, 'web')).sort();
    return JSON.parse(unnamed(JSON.stringify({ found, pods })));
  };
  const restored = async (...args) => JSON.parse(unnamed(JSON.stringify(await restore(...args))));
  const labels = async () => (await kjson('-n', 'c35', 'get', 'cm', 'bin')).metadata.labels;
  const there = [await restored('c35-r0', 'c35-b', '--namespace-mappings', 'c35:c35-there'), await state('c35-there')];
  await freed();
  await wipe('c35');
  const first = [await restored('c35-r1', 'c35-b'), await state('c35')];
  const second = [await restored('c35-r2', 'c35-b'), await labels()];
  const mapped = ['--namespace-mappings', 'c35:c35-two', '--preserve-nodeports', '--existing-resource-policy', 'none'];
  const two = [await restored('c35-r3', 'c35-b', ...mapped), await state('c35-two')];
  const again = await backup('c35-again', '--include-namespaces', 'c35');
  await freed();
  await wipe('c35');
  const third = [await restored('c35-r4', 'c35-again'), await labels()];
  await freed();
  return JSON.parse(unnamed(JSON.stringify({ b, there, first, second, two, again, third })));
}
