import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');

describe.skipIf(need.missing)(
  need.title('kubectl patch, label, annotate, set and scale'),
  { concurrent: true, timeout: TEST_MS },
  () => {
    const { kubectl, refused, namespace } = openTerminal();

    const withConfigMap = async (): Promise<string> => {
      const ns = await namespace('change');
      await kubectl`create cm one -n ${ns} --from-literal=a=1`;
      return ns;
    };
    const withDeployment = async (): Promise<string> => {
      const ns = await namespace('change');
      await kubectl`create deployment web -n ${ns} --image=nginx:1 --replicas=1`;
      return ns;
    };
    const ofDeployment = async (ns: string, path: string): Promise<string> =>
      await kubectl`get deploy web -n ${ns} -o jsonpath=${path}`;

    it('patches in three ways', async () => {
      const ns = await withConfigMap();
      const data = async (): Promise<unknown> =>
        JSON.parse(await kubectl`get cm one -n ${ns} -o jsonpath=${'{.data}'}`);
      expect(await kubectl`patch cm one -n ${ns} -p ${'{"data":{"b":"2"}}'}`).toBe('configmap/one patched\n');
      expect(await kubectl`patch cm one -n ${ns} -p ${'{"data":{"b":"2"}}'}`).toBe(
        'configmap/one patched (no change)\n',
      );
      expect(await data()).toEqual({ a: '1', b: '2' });
      await kubectl`patch cm one -n ${ns} --type=merge -p ${'{"data":{"a":null,"c":"3"}}'}`;
      expect(await data()).toEqual({ b: '2', c: '3' });
      const operations = [
        { op: 'test', path: '/data/b', value: '2' },
        { op: 'move', from: '/data/b', path: '/data/d' },
      ];
      await kubectl`patch cm one -n ${ns} --type=json -p ${JSON.stringify(operations)}`;
      expect(await data()).toEqual({ c: '3', d: '2' });
      expect((await refused`patch cm one -n ${ns} --type=json -p ${JSON.stringify(operations)}`).code).toBe(1);
      expect(await data()).toEqual({ c: '3', d: '2' });
    });

    it('merges containers by name, and deletes one by directive', async () => {
      const ns = await withDeployment();
      const containers = (list: object[]): string =>
        JSON.stringify({ spec: { template: { spec: { containers: list } } } });
      await kubectl`patch deploy web -n ${ns} -p ${containers([{ name: 'side', image: 'busybox' }])}`;
      expect(await ofDeployment(ns, '{.spec.template.spec.containers[*].image}')).toBe('busybox nginx:1');
      await kubectl`patch deploy web -n ${ns} -p ${containers([{ $patch: 'delete', name: 'nginx' }])}`;
      expect(await ofDeployment(ns, '{.spec.template.spec.containers[*].image}')).toBe('busybox');
    });

    it('writes status only through its subresource', async () => {
      const ns = await withDeployment();
      await kubectl`autoscale deploy/web -n ${ns} --max=5`;
      const patch = '{"status":{"currentReplicas":7,"desiredReplicas":0}}';
      const replicas = async (): Promise<string> =>
        await kubectl`get hpa web -n ${ns} --subresource=status -o jsonpath=${'{.status.currentReplicas}'}`;
      await kubectl`patch hpa web -n ${ns} --type=merge -p ${patch}`;
      expect(await replicas()).not.toBe('7');
      await kubectl`patch hpa web -n ${ns} --subresource=status --type=merge -p ${patch}`;
      expect(await replicas()).toBe('7');
    });

    it('labels and annotates', async () => {
      const ns = await withConfigMap();
      const path = '{.metadata.labels} {.metadata.annotations}';
      expect(await kubectl`label cm one -n ${ns} x=y`).toBe('configmap/one labeled\n');
      expect((await refused`label cm one -n ${ns} x=z`).stderr).toContain("'x' already has a value (y)");
      expect(await kubectl`label cm one -n ${ns} x=z --overwrite`).toBe('configmap/one labeled\n');
      expect(await kubectl`annotate cm one -n ${ns} ${'note=two words'}`).toBe('configmap/one annotated\n');
      expect(await kubectl`get cm one -n ${ns} -o jsonpath=${path}`).toBe('{"x":"z"} {"note":"two words"}');
      expect(await kubectl`label cm one -n ${ns} x-`).toBe('configmap/one unlabeled\n');
      expect(await kubectl`annotate cm --all -n ${ns} note-`).toContain('configmap/one annotated\n');
      expect(await kubectl`get cm one -n ${ns} -o jsonpath=${path}`).toBe(' ');
      expect(await kubectl`label ns ${ns} team=web`).toBe(`namespace/${ns} labeled\n`);
    });

    it('sets image, environment, resources and account', async () => {
      const ns = await withDeployment();
      expect(await kubectl`set image deploy/web -n ${ns} nginx=nginx:2`).toBe('deployment.apps/web image updated\n');
      expect(await kubectl`set env deploy/web -n ${ns} MODE=fast`).toBe('deployment.apps/web env updated\n');
      expect(await kubectl`set resources deploy/web -n ${ns} --limits=cpu=500m`).toBe(
        'deployment.apps/web resource requirements updated\n',
      );
      expect(await kubectl`set serviceaccount deploy/web -n ${ns} bot`).toBe(
        'deployment.apps/web serviceaccount updated\n',
      );
      const of = (path: string): string => `{.spec.template.spec.${path}}`;
      const paths = ['containers[0].image', 'containers[0].env[0].value', 'containers[0].resources.limits.cpu'];
      expect(await ofDeployment(ns, [...paths, 'serviceAccountName'].map(of).join(' '))).toBe('nginx:2 fast 500m bot');
      expect(await kubectl`set env deploy/web -n ${ns} --list`).toContain('MODE=fast');
    });

    it('scales, only from where it was said to be', async () => {
      const ns = await withDeployment();
      expect(await kubectl`scale deploy/web -n ${ns} --replicas=3`).toBe('deployment.apps/web scaled\n');
      expect(await ofDeployment(ns, '{.spec.replicas}')).toBe('3');
      expect((await refused`scale deploy/web -n ${ns} --current-replicas=9 --replicas=1`).stderr).toBe(
        'error: Expected replicas to be 9, was 3\n',
      );
      expect(await kubectl`scale deploy/web -n ${ns} --current-replicas=3 --replicas=0`).toContain('scaled');
      expect((await refused`scale deploy/nope -n ${ns} --replicas=1`).stderr).toContain(
        'deployments.apps "nope" not found',
      );
      expect(await kubectl`autoscale deploy/web -n ${ns} --min=1 --max=5`).toContain('autoscaled');
      expect(await kubectl`get hpa web -n ${ns}`).toMatch(/^web +Deployment\/web +cpu: <unknown>\/80% +1 +5 /m);
    });

    it('exposes and runs', async () => {
      const ns = await withDeployment();
      expect(await kubectl`expose deploy web -n ${ns} --port=80 --target-port=8080`).toBe('service/web exposed\n');
      const path = '{.spec.selector} {.spec.ports[0].port} {.spec.ports[0].targetPort}';
      expect(await kubectl`get svc web -n ${ns} -o jsonpath=${path}`).toBe('{"app":"web"} 80 8080');
      expect(await kubectl`run box -n ${ns} --image=busybox --labels=a=b --env=X=1 -- sleep 60`).toBe(
        'pod/box created\n',
      );
      const ofPod = '{.metadata.labels.a} {.spec.containers[0].args} {.spec.restartPolicy}';
      expect(await kubectl`get pod box -n ${ns} -o jsonpath=${ofPod}`).toBe('b ["sleep","60"] Always');
    });
  },
);
