import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { HeadwayHome, type Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { namespaceObjects } from './namespace-objects.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guide/from-velero.md'), 'utf8');
const COMMANDS = [...GUIDE.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));
const APPLICATION = `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: web}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {theme: dark}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 0, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}
`;

/** Pods do not run on the bed, so whoever scales Velero's Deployment here starts and stops its process as well. */
const need = needsBed({ velero: true });
describe.skipIf(need.missing)(need.title('the guide from Velero to Headway and back'), () => {
  let b: Bed;
  let kube: KubeClient;
  let home: HeadwayHome;
  let headway: Running | undefined;
  const env = (): Record<string, string> => ({
    KUBECONFIG: b.kubeconfig,
    PATH: [dirname(b.bin('kubectl')), dirname(b.bin('velero')), process.env['PATH'] ?? ''].join(delimiter),
  });
  const sh = async (command: string, input?: string): Promise<string> => {
    const [program = '', ...args] = command.split(' ');
    const more = input === undefined ? {} : { input };
    return await run(program, { args, env: env(), timeoutMs: 120_000, ...more });
  };

  beforeAll(async () => {
    b = await bed({ velero: true });
    home = new HeadwayHome({ KUBECONFIG: b.kubeconfig });
    kube = await clientFor(b.kubeconfig);
    await sh('kubectl -n velero scale deployment velero --replicas=1');
    await sh('kubectl apply -f -', APPLICATION);
    await sh('velero backup create before --include-namespaces shop --wait');
  }, 180_000);
  afterAll(async () => {
    headway?.child.kill('SIGKILL');
    await headway?.finished();
    await kube?.close();
    home?.[Symbol.dispose]();
    await b?.[Symbol.asyncDispose]();
  }, 60_000);

  it('is shown by a Headway that only looks, on Velero’s own CRDs and beside it', { timeout: 60_000 }, async () => {
    const looking = home.start('server', '--listen', '127.0.0.1:0', '--engines', 'none');
    const url = await eventually(
      () => (JSON.parse(/^.*"serving".*$/m.exec(looking.err)?.[0] ?? '') as { url: string }).url,
      { withinMs: 30_000 },
    );
    await sh('kubectl -n velero create serviceaccount looker');
    const role = 'clusterrolebinding looker --clusterrole=cluster-admin --serviceaccount=velero:looker';
    await sh(`kubectl create ${role}`);
    const headers = { authorization: `Bearer ${(await sh('kubectl -n velero create token looker')).trim()}` };
    const ask = async (path: string): Promise<unknown> => await (await fetch(new URL(path, url), { headers })).json();
    await eventually(
      async () => {
        expect(await ask('/api/operations')).toMatchObject({
          operations: [{ ref: { kind: 'Backup', name: 'before' }, report: { state: 'completed', percent: 100 } }],
        });
      },
      { withinMs: 30_000 },
    );
    expect(await ask('/api/session')).toMatchObject({
      clusters: [
        {
          groups: [
            // Velero has no kinds for plugins that report their own progress.
            { name: 'velero', isSeen: true, missing: ['VolumePluginBackup', 'VolumePluginRestore'] },
            { name: 'kanister', isSeen: false },
            { name: 'migration', isSeen: false },
          ],
        },
      ],
    });
    looking.child.kill('SIGTERM');
    expect((await looking.finished()).code).toBe(0);
    await sh('kubectl delete clusterrolebinding looker');
  });

  it('is refused beside a running Velero, and on CRDs that lack our fields', { timeout: 60_000 }, async () => {
    const onOldCrds = await home.run('server', '--listen', '127.0.0.1:0');
    expect(onOldCrds.code).not.toBe(0);
    expect(onOldCrds.err + onOldCrds.out).toContain('headway install --crds-only');
    await home.run('install', '--crds-only');
    const beside = await home.run('server', '--listen', '127.0.0.1:0', '--engines', 'velero');
    expect(beside.code).not.toBe(0);
    expect(beside.err + beside.out).toMatch(/Velero runs in namespace velero/);
  });

  it('works as it is written, command by command', { timeout: 300_000 }, async () => {
    expect(COMMANDS.length).toBeGreaterThan(10);
    for (const command of COMMANDS) await follow(command);
    const wanted = Object.fromEntries(await namespaceObjects(kube, 'shop'));
    expect(Object.keys(wanted)).toHaveLength(2);
    for (const copy of ['shop-headway', 'shop-velero']) {
      expect(Object.fromEntries(await namespaceObjects(kube, copy)), copy).toEqual(wanted);
    }
  });

  async function follow(command: string): Promise<void> {
    if (command === 'headway server') {
      headway = home.start('server', '--listen', '127.0.0.1:0');
      await eventually(
        () => {
          expect(headway?.err).toContain('leading');
        },
        { withinMs: 30_000 },
      );
      return;
    }
    if (command.startsWith('headway ')) {
      const { code, err } = await home.run(...command.split(' ').slice(1));
      expect(code, err).toBe(0);
      return;
    }
    const isBack = command.includes('--replicas=1');
    if (isBack) {
      headway?.child.kill('SIGTERM');
      expect((await headway!.finished()).code).toBe(0);
    }
    const said = await sh(command);
    if (command.includes('--wait')) expect(said).toContain('completed with status: Completed');
    if (command.includes('--replicas=0')) await b.velero[0]!.stop();
    if (isBack) await b.velero[0]!.start();
  }
});
