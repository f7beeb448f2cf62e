import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

describe.skipIf(need.missing)(need.title('kubectl delete and wait'), { concurrent: true, timeout: TEST_MS }, () => {
  const { kubectl, refused, start, namespace, file } = openTerminal();

  const held = (ns: string): string =>
    file(
      `${ns}.yaml`,
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: ${ns}, finalizers: [example.com/hold]}}`,
    );
  const withDeployment = async (): Promise<string> => {
    const ns = await namespace('delete');
    await kubectl`create deployment web -n ${ns} --image=nginx --replicas=2`;
    await kubectl`rollout status deploy/web -n ${ns} --timeout=15s`;
    return ns;
  };
  const left = async (ns: string): Promise<string> => await kubectl`get deploy,rs,pods -n ${ns} -o name`;

  it('deletes by name, by label and all', async () => {
    const ns = await namespace('delete');
    for (const name of ['a', 'b', 'c']) await kubectl`create cm ${name} -n ${ns}`;
    await kubectl`label cm b -n ${ns} x=y`;
    expect(await kubectl`delete cm a -n ${ns} --dry-run=server`).toContain('(server dry run)');
    expect(await kubectl`delete cm a -n ${ns}`).toBe(`configmap "a" deleted from ${ns} namespace\n`);
    expect(await kubectl`delete cm -l x=y -n ${ns}`).toBe(`configmap "b" deleted from ${ns} namespace\n`);
    expect(await kubectl`delete cm --all -n ${ns}`).toContain(`configmap "c" deleted`);
    expect(await refused`delete cm a -n ${ns}`).toMatchObject({
      code: 1,
      stderr: 'Error from server (NotFound): configmaps "a" not found\n',
    });
    expect(await kubectl`delete cm a -n ${ns} --ignore-not-found`).toBe('');
  });

  it('waits for the finalizer of another', async () => {
    const ns = await namespace('delete');
    await kubectl`create -f ${held(ns)}`;
    await using deletion = start`delete cm held -n ${ns}`;
    await deletion.prints('configmap "held" deleted');
    const path = '{.metadata.finalizers} {.metadata.deletionTimestamp}';
    expect(await kubectl`get cm held -n ${ns} -o jsonpath=${path}`).toMatch(/^\["example.com\/hold"\] 20.*Z$/);
    await kubectl`patch cm held -n ${ns} --type=json -p ${'[{"op":"remove","path":"/metadata/finalizers"}]'}`;
    expect(await deletion.exitCode()).toBe(0);
    expect((await refused`get cm held -n ${ns}`).stderr).toContain('not found');
  });

  it('gives up waiting in time, and does not wait when told so', async () => {
    const ns = await namespace('delete');
    await kubectl`create -f ${held(ns)}`;
    expect((await refused`delete cm held -n ${ns} --timeout=1s`).stderr).toContain(
      'timed out waiting for the condition on configmaps/held',
    );
    expect(await kubectl`delete cm held -n ${ns} --wait=false`).toContain('deleted');
    expect(await kubectl`get cm held -n ${ns} -o name`).toBe('configmap/held\n');
  });

  it('deletes in the background what it owns', async () => {
    const ns = await withDeployment();
    expect(await left(ns)).toMatch(/^deployment.apps\/web\nreplicaset.apps\/web-\w+\npod\/web-.*\npod\/web-.*\n$/);
    await kubectl`delete deploy web -n ${ns} --cascade=background`;
    await eventually(
      async () => {
        expect(await left(ns)).toBe('');
      },
      { withinMs: 20_000 },
    );
  });

  it('deletes in the foreground: the owner goes last', async () => {
    const ns = await withDeployment();
    await kubectl`delete deploy web -n ${ns} --cascade=foreground`;
    expect(await kubectl`get deploy,rs -n ${ns} -o name`).toBe('');
  });

  it('orphans what it owned', async () => {
    const ns = await withDeployment();
    await kubectl`delete deploy web -n ${ns} --cascade=orphan`;
    expect(await left(ns)).toMatch(/^replicaset.apps\/web-\w+\npod\/web-.*\npod\/web-.*\n$/);
    expect(await kubectl`get rs -n ${ns} -o jsonpath=${'{.items[0].metadata.ownerReferences}'}`).toBe('');
  });

  it('ends a pod gracefully, or at once', async () => {
    const ns = await namespace('delete');
    for (const name of ['slow', 'now']) await kubectl`run ${name} -n ${ns} --image=nginx`;
    await kubectl`wait pod --all -n ${ns} --for=condition=Ready --timeout=15s`;
    expect(await kubectl`delete pod slow -n ${ns}`).toBe(`pod "slow" deleted from ${ns} namespace\n`);
    expect(await kubectl`delete pod now -n ${ns} --grace-period=0 --force`).toBe(
      `pod "now" force deleted from ${ns} namespace\n`,
    );
    expect(await kubectl`get pods -n ${ns} -o name`).toBe('');
  });

  it('deletes a namespace with everything in it', async () => {
    const ns = await withDeployment();
    await kubectl`create cm one -n ${ns}`;
    expect(await kubectl`delete ns ${ns} --timeout=30s`).toBe(`namespace "${ns}" deleted\n`);
    expect((await refused`get ns ${ns}`).stderr).toContain(`namespaces "${ns}" not found`);
    expect(await kubectl`get pods,cm,deploy,rs,sa -n ${ns} -o name`).toBe('');
  });

  it('creates nothing in a namespace that ends', async () => {
    const ns = await namespace('delete');
    await kubectl`create -f ${held(ns)}`;
    await kubectl`delete ns ${ns} --wait=false`;
    expect(await kubectl`get ns ${ns}`).toMatch(/ Terminating /);
    expect((await refused`create cm late -n ${ns}`).stderr).toContain(
      `unable to create new content in namespace ${ns} because it is being terminated`,
    );
    await eventually(async () => {
      expect(await kubectl`describe ns ${ns}`).toMatch(/NamespaceFinalizersRemaining +True .*example.com\/hold/);
    });
    await kubectl`patch cm held -n ${ns} --type=json -p ${'[{"op":"remove","path":"/metadata/finalizers"}]'}`;
    await kubectl`wait ns/${ns} --for=delete --timeout=15s`;
  });

  it('waits for conditions, fields, creation and deletion', async () => {
    const ns = await namespace('wait');
    await using created = start`wait pod/box -n ${ns} --for=create --timeout=30s`;
    await kubectl`run box -n ${ns} --image=busybox`;
    expect(await created.exitCode()).toBe(0);
    expect(created.text()).toBe('pod/box condition met\n');
    expect(await kubectl`wait pod/box -n ${ns} --for=condition=Ready --timeout=15s`).toBe('pod/box condition met\n');
    expect(await kubectl`wait pod/box -n ${ns} --for=jsonpath=${'{.status.phase}'}=Running --timeout=15s`).toBe(
      'pod/box condition met\n',
    );
    await using deleted = start`wait pod/box -n ${ns} --for=delete --timeout=30s`;
    await kubectl`delete pod box -n ${ns}`;
    expect(await deleted.exitCode()).toBe(0);
    expect((await refused`wait pod/box -n ${ns} --for=condition=Ready --timeout=1s`).stderr).toContain('not found');
    await kubectl`create cm one -n ${ns}`;
    expect((await refused`wait cm/one -n ${ns} --for=condition=Ready --timeout=1s`).stderr).toContain(
      'timed out waiting for the condition on configmaps/one',
    );
  });
});
