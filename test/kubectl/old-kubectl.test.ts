import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { needs, needsOldKubectl } from '../bed/index.ts';
import { oldKubectlPath } from '../bed/cache.ts';
import { tableOf } from './table.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const old = needsOldKubectl();
const current = needs('kubectl');
const need = old.missing ? old : current;

describe.skipIf(need.missing)(need.title('kubectl 1.20 of Debian 12'), { concurrent: true, timeout: TEST_MS }, () => {
  const terminal = openTerminal();
  const { kubectl, namespace, file } = terminal;
  const { run, refused, start } = terminal.program(oldKubectlPath());

  const withDeployment = async (): Promise<string> => {
    const ns = await namespace('old');
    await kubectl`create deployment web -n ${ns} --image=nginx --replicas=2`;
    await kubectl`expose deploy web -n ${ns} --port=80`;
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    return ns;
  };

  it('gets', async () => {
    const ns = await withDeployment();
    expect(tableOf(await run`get deploy -n ${ns} -o wide`)).toMatchObject([
      { NAME: 'web', READY: '2/2', 'UP-TO-DATE': '2', AVAILABLE: '2', IMAGES: 'nginx' },
    ]);
    expect(await run`get all -n ${ns}`).toMatch(/^pod\/web-.* 1\/1 +Running /m);
    expect(parse(await run`get svc web -n ${ns} -o yaml`)).toMatchObject({
      kind: 'Service',
      spec: { type: 'ClusterIP' },
    });
    expect(await run`get deploy web -n ${ns} -o jsonpath=${'{.status.readyReplicas}'}`).toBe('2');
    expect(await run`get pods -A -l app=web --no-headers`).toContain(ns);
    expect(await run`get nodes`).toMatch(/^pocket +Ready /m);
    expect((await refused`get cm nope -n ${ns}`).stderr).toBe(
      'Error from server (NotFound): configmaps "nope" not found\n',
    );
    await using watch = start`get cm -n ${ns} -w`;
    await kubectl`create cm one -n ${ns}`;
    await watch.prints('one ');
  });

  it('describes', async () => {
    const ns = await withDeployment();
    expect(await run`describe deploy web -n ${ns}`).toMatch(
      /^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available/m,
    );
    expect(await run`describe pod -l app=web -n ${ns}`).toMatch(/^Node: +pocket\//m);
    expect(await run`describe svc web -n ${ns}`).toMatch(/^Endpoints: +10\.244\.\d+\.\d+:80,10\.244\./m);
    expect(await run`describe ns ${ns}`).toMatch(/^Status: +Active$/m);
    expect(await run`describe node pocket`).toMatch(/^ +Ready +True /m);
  });

  it('deletes', async () => {
    const ns = await withDeployment();
    expect(await run`delete deploy web -n ${ns} --cascade=foreground`).toBe('deployment.apps "web" deleted\n');
    expect(await run`get deploy,rs -n ${ns} -o name`).toBe('');
    expect(await run`delete svc --all -n ${ns}`).toBe('service "web" deleted\n');
    expect(await run`delete ns ${ns} --timeout=30s`).toBe(`namespace "${ns}" deleted\n`);
    expect((await refused`get ns ${ns}`).stderr).toContain(`namespaces "${ns}" not found`);
  });

  it('also creates and applies, since an OpenAPI v2 document is there, if an empty one', async () => {
    const ns = await namespace('old');
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: ${ns}}\ndata: {k: v}\n`;
    const path = file('old.yaml', text);
    expect(await run`apply -f ${path}`).toBe('configmap/one created\n');
    expect(await run`apply -f ${path}`).toBe('configmap/one unchanged\n');
    expect(await run`create cm two -n ${ns}`).toBe('configmap/two created\n');
    expect(await run`label cm two -n ${ns} a=b`).toBe('configmap/two labeled\n');
  });
});
