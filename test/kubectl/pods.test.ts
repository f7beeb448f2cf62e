import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { tableOf } from './table.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');
const SIMULATED = 'pods of this pocket cluster are simulated';

describe.skipIf(need.missing)(
  need.title('kubectl and the pods of a pocket cluster'),
  { concurrent: true, timeout: TEST_MS },
  () => {
    const { kubectl, refused, namespace } = openTerminal();

    const withPod = async (): Promise<string> => {
      const ns = await namespace('pods');
      await kubectl`run box -n ${ns} --image=busybox --port=8080`;
      await kubectl`wait pod/box -n ${ns} --for=condition=Ready --timeout=15s`;
      return ns;
    };

    it('shows a pod that runs and is ready', async () => {
      const ns = await withPod();
      const [row] = tableOf(await kubectl`get pod box -n ${ns} -o wide`);
      expect(row).toMatchObject({ NAME: 'box', READY: '1/1', STATUS: 'Running', RESTARTS: '0', NODE: 'pocket' });
      expect(row?.['IP']).toMatch(/^10\.244\.\d+\.\d+$/);
    });

    it.each([
      ['logs box', 'has no log'],
      ['exec box -- ls', 'has no exec'],
      ['attach box', 'has no attach'],
      ['port-forward pod/box :8080', 'has no portforward'],
      ['cp /etc/hostname box:/tmp/x', 'has no exec'],
    ])('answers %s with the reason', async (command, part) => {
      const ns = await withPod();
      const { code, stderr } = await refused`-n ${ns} ${command.split(' ')}`;
      expect(code).toBe(1);
      expect(stderr).toContain(`pods "box" ${part}: ${SIMULATED}`);
    });

    it('answers for pods and containers that are not there as usual', async () => {
      const ns = await withPod();
      expect((await refused`logs nope -n ${ns}`).stderr).toContain('pods "nope" not found');
      expect((await refused`exec nope -n ${ns} -- ls`).stderr).toContain('pods "nope" not found');
      expect((await refused`logs box -c nope -n ${ns}`).stderr).toContain('container nope is not valid for pod box');
    });

    it('leaves a pod pending that no node can take, and says why', async () => {
      const ns = await namespace('pods');
      const overrides = '{"spec":{"nodeSelector":{"disk":"fast"}}}';
      await kubectl`run box -n ${ns} --image=busybox --overrides=${overrides}`;
      const scheduled = '{.status.conditions[?(@.type=="PodScheduled")].reason}';
      await kubectl`wait pod/box -n ${ns} --for=jsonpath=${scheduled}=Unschedulable --timeout=15s`;
      expect(await kubectl`get pod box -n ${ns}`).toMatch(/^box +0\/1 +Pending /m);
      expect(await kubectl`describe pod box -n ${ns}`).toMatch(/^Node: +<none>$/m);
    });

    it('shows the node', async () => {
      expect(await kubectl`get nodes`).toMatch(/^pocket +Ready +\S+ +\S+ +v1\.36/m);
      const node = await kubectl`describe node pocket`;
      expect(node).toMatch(/^ +Ready +True .* KubeletReady /m);
      expect(node).toMatch(/^Non-terminated Pods: /m);
      expect(await kubectl`get pods -A --field-selector spec.nodeName=nope -o name`).toBe('');
    });

    it('cordons and drains it', async () => {
      const ns = await withPod();
      expect(await kubectl`cordon pocket --dry-run=server`).toContain('node/pocket cordoned');
      const drained = await kubectl`drain pocket --dry-run=server --force --pod-selector=run=box --ignore-daemonsets`;
      expect(drained).toContain(`evicting pod ${ns}/box`);
      expect(await kubectl`get pod box -n ${ns} -o name`).toBe('pod/box\n');
    });
  },
);
