import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

/** kubectl sends these as protobuf: command, what it prints, a field, its value. */
const CREATED: readonly [string, string, string, string][] = [
  ['cm one --from-literal=a=1', 'configmap/one', '{.data.a}', '1'],
  ['secret generic login --from-literal=user=shop', 'secret/login', '{.type} {.data.user}', 'Opaque c2hvcA=='],
  [
    'secret docker-registry pull --docker-username=u --docker-password=p --docker-server=registry.example.com',
    'secret/pull',
    '{.type}',
    'kubernetes.io/dockerconfigjson',
  ],
  [
    'deployment web --image=nginx:1 --replicas=3 --port=80',
    'deployment.apps/web',
    '{.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort} {.spec.strategy.type}',
    '3 80 RollingUpdate',
  ],
  ['job once --image=busybox -- sh -c true', 'job.batch/once', '{.spec.template.spec.restartPolicy}', 'Never'],
  ['sa bot', 'serviceaccount/bot', '{.metadata.name}', 'bot'],
  [
    'role reader --verb=get --verb=list --resource=pods,deployments.apps',
    'role.rbac.authorization.k8s.io/reader',
    '{.rules[*].verbs} {.rules[1].apiGroups[0]}',
    '["get","list"] ["get","list"] apps',
  ],
  [
    'rolebinding readers --role=reader --serviceaccount=default:bot --user=ann',
    'rolebinding.rbac.authorization.k8s.io/readers',
    '{.roleRef.name} {.subjects[*].kind}',
    'reader User ServiceAccount',
  ],
  ['service clusterip web --tcp=80:8080', 'service/web', '{.spec.type} {.spec.ports[0].targetPort}', 'ClusterIP 8080'],
  ['service clusterip db --clusterip=None', 'service/db', '{.spec.clusterIP}', 'None'],
  ['service nodeport np --tcp=80 --node-port=30123', 'service/np', '{.spec.ports[0].nodePort}', '30123'],
  ['service loadbalancer lb --tcp=443', 'service/lb', '{.spec.allocateLoadBalancerNodePorts}', 'true'],
  ['service externalname ext --external-name=example.com', 'service/ext', '{.spec.externalName}', 'example.com'],
  [
    'ingress web --rule=shop.example.com/*=web:80,tls=cert',
    'ingress.networking.k8s.io/web',
    '{.spec.rules[0].http.paths[0].pathType} {.spec.tls[0].secretName}',
    'Prefix cert',
  ],
  ['quota small --hard=pods=3,requests.cpu=1500m', 'resourcequota/small', '{.spec.hard.requests\\.cpu}', '1500m'],
  [
    'pdb web --selector=app=web --min-available=50%',
    'poddisruptionbudget.policy/web',
    '{.spec.minAvailable} {.spec.selector.matchLabels.app}',
    '50% web',
  ],
];

describe.skipIf(need.missing)(need.title('kubectl create'), { concurrent: true, timeout: TEST_MS }, () => {
  const { kubectl, refused, namespace, file } = openTerminal();

  it.each(CREATED)('%s', async (command, printed, path, value) => {
    const ns = await namespace('create');
    expect(await kubectl`-n ${ns} create ${command.split(' ')}`).toBe(`${printed} created\n`);
    expect(await kubectl`get ${printed} -n ${ns} -o jsonpath=${path}`).toBe(value);
  });

  it('creates what has no namespace', async () => {
    expect(await kubectl`create ns made`).toBe('namespace/made created\n');
    expect(await kubectl`get ns made`).toMatch(/^made +Active /m);
    expect(await kubectl`create clusterrole nodes --verb=get --resource=nodes`).toBe(
      'clusterrole.rbac.authorization.k8s.io/nodes created\n',
    );
    expect(await kubectl`create clusterrolebinding nodes --clusterrole=nodes --group=ops`).toBe(
      'clusterrolebinding.rbac.authorization.k8s.io/nodes created\n',
    );
    expect(await kubectl`create priorityclass high --value=1000`).toBe(
      'priorityclass.scheduling.k8s.io/high created\n',
    );
    expect((await refused`create ns made`).stderr).toBe(
      'Error from server (AlreadyExists): namespaces "made" already exists\n',
    );
  });

  it('creates a cron job, and a job from it', async () => {
    const ns = await namespace('create');
    await kubectl`create cronjob nightly -n ${ns} --image=busybox --schedule ${'0 3 * * *'} -- echo hi`;
    expect(await kubectl`get cj nightly -n ${ns} -o jsonpath=${'{.spec.schedule} {.spec.concurrencyPolicy}'}`).toBe(
      '0 3 * * * Allow',
    );
    expect(await kubectl`create job now -n ${ns} --from=cronjob/nightly`).toBe('job.batch/now created\n');
    expect(await kubectl`get job now -n ${ns} -o jsonpath=${'{.metadata.ownerReferences[0].name}'}`).toBe('nightly');
  });

  it('creates from a file with many objects, and names those that it cannot', async () => {
    const ns = await namespace('create');
    const two = file(`${ns}.yaml`, `${configMap(ns, 'a')}---\n${configMap(ns, 'b')}`);
    expect(await kubectl`create -f ${two}`).toBe('configmap/a created\nconfigmap/b created\n');
    await kubectl`delete cm b -n ${ns}`;
    const again = await refused`create -f ${two}`;
    expect(again).toMatchObject({ code: 1, stdout: 'configmap/b created\n' });
    expect(again.stderr).toContain(`${ns}.yaml": configmaps "a" already exists`);
  });

  it('only tries with --dry-run=server', async () => {
    const ns = await namespace('create');
    expect(await kubectl`create cm a -n ${ns} --dry-run=server`).toBe('configmap/a created (server dry run)\n');
    const service = await kubectl`create service clusterip s -n ${ns} --tcp=80 --dry-run=server -o yaml`;
    expect(service).toContain('sessionAffinity: None');
    expect((await refused`get cm a -n ${ns}`).stderr).toContain('not found');
  });

  it('refuses what the real server refuses, in its words', async () => {
    const ns = await namespace('create');
    const wrong = file(`wrong-${ns}.yaml`, configMap(ns, 'w').replace('\ndata:', '\ndta:'));
    expect((await refused`create -f ${wrong}`).stderr).toContain('strict decoding error: unknown field "dta"');
    const misspelt = file(`misspelt-${ns}.yaml`, configMap(ns, 'w').replace('metadata:', 'metdata:'));
    expect((await refused`create -f ${misspelt}`).stderr).toContain('unknown field "metdata"');
    const pod = file(`pod-${ns}.yaml`, `{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ${ns}}, spec: {}}`);
    expect((await refused`create -f ${pod}`).stderr).toBe('The Pod "p" is invalid: spec.containers: Required value\n');
    const unknown = file(`unknown-${ns}.yaml`, `{apiVersion: x.example.com/v1, kind: Nope, metadata: {name: p}}`);
    expect((await refused`create -f ${unknown}`).stderr).toContain('ensure CRDs are installed first');
    expect((await refused`create cm BAD -n ${ns}`).stderr).toContain('a lowercase RFC 1123 subdomain must consist of');
    expect((await refused`create cm a -n nowhere`).stderr).toContain('namespaces "nowhere" not found');
    await kubectl`create service nodeport a -n ${ns} --tcp=80 --node-port=30200`;
    expect((await refused`create service nodeport b -n ${ns} --tcp=80 --node-port=30200`).stderr).toContain(
      'spec.ports[0].nodePort: Invalid value: 30200: provided port is already allocated',
    );
  });

  it('gives a service account a token to log in with', async () => {
    const ns = await namespace('create');
    await kubectl`create sa bot -n ${ns}`;
    const token = (await kubectl`create token bot -n ${ns} --duration=20m`).trim();
    expect(await kubectl`auth whoami --token ${token} --client-certificate= --client-key=`).toMatch(
      new RegExp(`^Username +system:serviceaccount:${ns}:bot$`, 'm'),
    );
    expect((await refused`create token bot -n ${ns} --duration=1m`).stderr).toContain(
      'may not specify a duration less than 10 minutes',
    );
    expect((await refused`create token nobody -n ${ns}`).stderr).toContain('serviceaccounts "nobody" not found');
  });
});

function configMap(namespace: string, name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\ndata: { k: v }\n`;
}
