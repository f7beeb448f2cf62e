import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { needs } from '../bed/index.ts';
import { tableOf } from './table.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

describe.skipIf(need.missing)(need.title('kubectl get'), { concurrent: true, timeout: TEST_MS }, () => {
  const { kubectl, refused, start, namespace } = openTerminal();

  const withConfigMaps = async (): Promise<string> => {
    const ns = await namespace('get');
    await kubectl`create cm one -n ${ns} --from-literal=a=1 --from-literal=b=2`;
    await kubectl`create cm two -n ${ns}`;
    await kubectl`label cm two -n ${ns} app=shop`;
    return ns;
  };
  const own = 'metadata.name!=kube-root-ca.crt';

  it('prints a table', async () => {
    const ns = await withConfigMaps();
    const rows = tableOf(await kubectl`get configmaps -n ${ns} --field-selector ${own}`);
    expect(rows).toEqual([
      { NAME: 'one', DATA: '2', AGE: expect.stringMatching(/^\d+s$/) as string },
      { NAME: 'two', DATA: '0', AGE: expect.stringMatching(/^\d+s$/) as string },
    ]);
    expect(await kubectl`get cm -n ${ns} --field-selector ${own} --no-headers`).not.toContain('NAME');
    expect(await kubectl`get cm -n ${ns} -l app=shop --show-labels`).toMatch(/^two .* app=shop$/m);
    expect(await kubectl`get cm -n ${ns} -l ${'app in (shop),app!=x'} -L app`).toMatch(/^two .* shop$/m);
    expect(await kubectl`get cm -n ${ns} -l ${'!app'}`).not.toContain('two');
  });

  it('prints objects as YAML, JSON, names and chosen fields', async () => {
    const ns = await withConfigMaps();
    const yaml = parse(await kubectl`get cm one -n ${ns} -o yaml`) as object;
    expect(yaml).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1', b: '2' } });
    const list = JSON.parse(await kubectl`get cm -n ${ns} -l app -o json`) as object;
    expect(list).toMatchObject({ kind: 'List', items: [{ kind: 'ConfigMap', metadata: { name: 'two' } }] });
    expect(await kubectl`get cm/one cm/two -n ${ns} -o name`).toBe('configmap/one\nconfigmap/two\n');
    expect(await kubectl`get cm one -n ${ns} -o jsonpath=${'{.data.b}'}`).toBe('2');
    expect(await kubectl`get cm one -n ${ns} -o go-template=${'{{.data.a}}'}`).toBe('1');
    const columns = 'NAME:.metadata.name,B:.data.b';
    expect(await kubectl`get cm -n ${ns} --field-selector ${own} -o custom-columns=${columns}`).toBe(
      'NAME   B\none    2\ntwo    <none>\n',
    );
  });

  it('reads page by page, sorts, and crosses namespaces', async () => {
    const ns = await withConfigMaps();
    const paged = await kubectl`get cm -n ${ns} --field-selector ${own} --chunk-size=1 -o name`;
    expect(paged).toBe('configmap/one\nconfigmap/two\n');
    const sorted = await kubectl`get cm -n ${ns} --field-selector ${own} --sort-by=${'{.data.a}'} -o name`;
    expect(sorted.split('\n').filter((line) => line !== '')).toHaveLength(2);
    expect(await kubectl`get cm -A`).toMatch(new RegExp(`^${ns} +one +2 `, 'm'));
  });

  it('prints what each kind is known for, more of it with -o wide', async () => {
    const ns = await namespace('get');
    await kubectl`create service nodeport web -n ${ns} --tcp=80:8080`;
    await kubectl`create cronjob nightly -n ${ns} --image=busybox --schedule ${'0 3 * * *'} -- true`;
    const [service] = tableOf(await kubectl`get svc web -n ${ns} -o wide`);
    expect(service).toMatchObject({ NAME: 'web', TYPE: 'NodePort', 'EXTERNAL-IP': '<none>', SELECTOR: 'app=web' });
    expect(service?.['CLUSTER-IP']).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(service?.['PORT(S)']).toMatch(/^80:3\d{4}\/TCP$/);
    expect(tableOf(await kubectl`get cronjob -n ${ns} -o wide`)).toMatchObject([
      { NAME: 'nightly', SCHEDULE: '0 3 * * *', SUSPEND: 'False', ACTIVE: '0', IMAGES: 'busybox' },
    ]);
  });

  it('prints everything in one go', async () => {
    const ns = await namespace('get');
    await kubectl`create deployment web -n ${ns} --image=nginx --replicas=0`;
    await kubectl`create service clusterip web -n ${ns} --tcp=80`;
    expect(await kubectl`get all -n ${ns}`).toMatch(/^service\/web .*\n[^]*^deployment.apps\/web /m);
    const everywhere = await kubectl`get all -A`;
    expect(everywhere).toMatch(/^default +service\/kubernetes +ClusterIP +10\.96\.0\.1 +<none> +443\/TCP /m);
    expect(everywhere).toMatch(new RegExp(`^${ns} +deployment.apps/web +0/0 `, 'm'));
    expect(await kubectl`get svc,deploy -n ${ns} -o name`).toBe('service/web\ndeployment.apps/web\n');
  });

  it('watches, and every event comes as a row of the table', async () => {
    const ns = await withConfigMaps();
    await using rows = start`get cm -n ${ns} -w --field-selector ${own}`;
    await rows.prints('two ');
    await using events = start`get cm -n ${ns} -w --output-watch-events -l app`;
    await events.prints('ADDED ');
    await kubectl`create cm three -n ${ns} --from-literal=x=y`;
    await kubectl`label cm three -n ${ns} app=shop`;
    await kubectl`label cm two -n ${ns} app-`;
    await kubectl`delete cm three -n ${ns}`;
    await events.prints('DELETED    three ');
    await rows.prints('three   1  ');
    expect(tableOf(events.text()).map(({ EVENT, NAME, DATA }) => [EVENT, NAME, DATA])).toEqual([
      ['ADDED', 'two', '0'],
      ['ADDED', 'three', '1'],
      // Without the label it is no longer among what is watched.
      ['DELETED', 'two', '0'],
      ['DELETED', 'three', '1'],
    ]);
    expect(rows.text().match(/^NAME /gm)).toHaveLength(1);
  });

  it('watches only the future on request, also as JSON', async () => {
    const ns = await withConfigMaps();
    await using watch = start`get cm -n ${ns} -w -o jsonpath=${'{.metadata.name}={.data.a} '}`;
    await watch.prints('two=');
    await kubectl`patch cm one -n ${ns} -p ${'{"data":{"a":"9"}}'}`;
    await watch.prints('one=9');
    expect(watch.text().indexOf('one=1')).toBeLessThan(watch.text().indexOf('one=9'));
  });

  it('says what is not there', async () => {
    const ns = await namespace('get');
    expect(await refused`get cm nope -n ${ns}`).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): configmaps "nope" not found\n',
    });
    expect((await refused`get nopes`).stderr).toBe('error: the server doesn\'t have a resource type "nopes"\n');
    expect((await refused`get cm -l ${'a==='}`).stderr).toContain('unable to parse requirement');
    expect((await refused`get cm --field-selector data=x`).stderr).toContain('"data" is not a known field selector');
    expect(await kubectl`get cm nope -n ${ns} --ignore-not-found`).toBe('');
    await using empty = start`get pods -n ${ns}`;
    expect(await empty.exitCode()).toBe(0);
    expect(empty.text()).toBe(`No resources found in ${ns} namespace.\n`);
  });

  it('passes raw paths through', async () => {
    const ns = await withConfigMaps();
    expect(await kubectl`get --raw /readyz`).toBe('ok');
    const list = JSON.parse(await kubectl`get --raw /api/v1/namespaces/${ns}/configmaps?labelSelector=app`) as object;
    expect(list).toMatchObject({ kind: 'ConfigMapList', items: [{ metadata: { name: 'two' } }] });
    expect((await refused`get --raw /nope`).stderr).toContain('the server could not find the requested resource');
  });
});
