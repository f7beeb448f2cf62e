import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, Blueprint, DEPLOYMENT, NAMESPACE } from '../../src/api/index.ts';
import { objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { bed, needsBed, type Bed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { HeadwayHome, type Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { CLUSTER_ROLE_BINDINGS, objectOf } from '../kube-kinds.ts';
import { shellPod } from '../pod-clusters.ts';
import { nameOf, onlyBy, rightsIn } from './access-rules.ts';
import { AuditLog } from './audit-log.ts';

const MANIFEST = join(import.meta.dirname, '../../deploy/server.yaml');
const SERVER = 'system:serviceaccount:velero:headway';
const SPACE = 'shop';
/** Of functions that are not run here: there is neither a StatefulSet, nor OpenShift, nor an API for snapshots. */
const NOT_SHOWN = [
  'patch events',
  'patch statefulsets.apps',
  'patch deploymentconfigs.apps.openshift.io',
  'create persistentvolumeclaims',
  ...['create', 'delete'].flatMap((verb) =>
    ['volumesnapshotcontents', 'volumesnapshots'].map((kind) => `${verb} ${kind}.snapshot.storage.k8s.io`),
  ),
].map((right) => `headway-actions: ${right}`);

const need = needsBed({ nodes: true });
describe.skipIf(need.missing)(need.title('the rights of actions'), { timeout: 240_000 }, () => {
  const here = mkdtempSync(join(tmpdir(), 'headway-action-rights-'));
  const audit = new AuditLog(here);
  const home = new HeadwayHome();
  let b: Bed;
  let kube: KubeClient;
  let server: Running | undefined;

  beforeAll(async () => {
    b = await bed({ nodes: true, apiserverFlags: audit.flags });
    kube = await clientFor(b.kubeconfig);
    const kubeconfig = join(here, 'server.kubeconfig');
    const installed = await home.run('install', '--kubeconfig', b.kubeconfig, '--server-kubeconfig', kubeconfig);
    expect(installed.code, installed.err).toBe(0);
    // What restores may do would hide what actions need.
    await kube.delete({ type: CLUSTER_ROLE_BINDINGS, name: 'headway-restore' });
    await kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, SPACE));
    server = home.start('server', '--kubeconfig', kubeconfig, '--engines', 'kanister', '--listen', '127.0.0.1:0');
    await eventually(
      () => {
        expect(`${server?.out ?? ''}${server?.err ?? ''}`).toContain('"leading"');
      },
      { withinMs: 60_000 },
    );
  }, 240_000);
  afterAll(async () => {
    server?.child.kill('SIGKILL');
    await server?.finished();
    home[Symbol.dispose]();
    await kube?.close();
    await b?.[Symbol.asyncDispose]();
    rmSync(here, { recursive: true, force: true });
  });

  it('are enough for KubeTask, KubeExec and ScaleWorkload, and each of them is needed', async () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: shellPod('x', 'sleep 10000')['spec'] as JsonObject };
    const spec = {
      ...{ replicas: 1, selector: { matchLabels: { app: 'web' } } },
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Always' } },
    };
    await kube.create({ type: DEPLOYMENT, namespace: SPACE }, objectOf(DEPLOYMENT, 'web', { spec }));
    await eventually(
      async () => {
        const web = await kube.get({ type: DEPLOYMENT, namespace: SPACE, name: 'web' });
        expect(
          textAt(
            objectsAt(web, 'status', 'conditions').find(({ type }) => type === 'Available'),
            'status',
          ),
        ).toBe('True');
      },
      { withinMs: 60_000 },
    );
    const exec = {
      ...{ namespace: '{{ .Deployment.Namespace }}', pod: '{{ index .Deployment.Pods 0 }}' },
      command: ['sh', '-c', 'echo \'###Phase-output###: {"key":"k","value":"v"}\''],
    };
    const go = {
      phases: [
        { func: 'KubeExec', name: 'exec', args: exec },
        { func: 'KubeTask', name: 'task', args: { image: 'busybox:1', command: ['true'] } },
        { func: 'ScaleWorkload', name: 'down', args: { replicas: 0 } },
        { func: 'ScaleWorkload', name: 'up', args: { replicas: '{{ .Phases.down.Output.originalReplicaCount }}' } },
      ],
      deferPhase: { func: 'KubeTask', name: 'later', args: { image: 'busybox:1', command: ['true'] } },
    };
    await kube.create({ type: Blueprint, namespace: SPACE }, objectOf(Blueprint, 'b', { actions: { go } }));
    const action = { name: 'go', blueprint: 'b', object: { kind: 'Deployment', name: 'web', namespace: SPACE } };
    const create = async (name: string, more: JsonObject = {}): Promise<void> => {
      const set = objectOf(ActionSet, name, { spec: { actions: [action], ...more } });
      await kube.create({ type: ActionSet, namespace: SPACE }, set);
    };
    await create('one');
    const status = await eventually(
      async () => {
        const { status } = (await kube.get({ type: ActionSet, namespace: SPACE, name: 'one' })) as unknown as {
          status: JsonObject;
        };
        if (status['state'] !== 'complete' && status['state'] !== 'failed') throw new Error(JSON.stringify(status));
        return status;
      },
      { withinMs: 90_000 },
    );
    expect(status, JSON.stringify(status)).toMatchObject({
      state: 'complete',
      actions: [{ phases: [{ output: { k: 'v' } }, {}, { output: { originalReplicaCount: 1 } }, {}] }],
    });
    await create('short', { ttlSecondsAfterFinished: 0 });
    await eventually(
      () =>
        expect(kube.get({ type: ActionSet, namespace: SPACE, name: 'short' })).rejects.toMatchObject({
          code: 'notFound',
        }),
      { withinMs: 90_000 },
    );
    await eventually(() => {
      const done = audit.of(SERVER, 'allow');
      expect(done.some(({ verb, resource }) => verb === 'delete' && resource === 'actionsets')).toBe(true);
    });
    expect(audit.of(SERVER, 'forbid')).toEqual([]);
    const rights = rightsIn(MANIFEST).filter(({ role }) => role !== 'headway-restore');
    const done = audit.of(SERVER, 'allow');
    const idle = rights
      .filter(({ role }) => role === 'headway-actions')
      .filter((right) => onlyBy(right, rights, done) === undefined)
      .map(nameOf);
    expect(idle.toSorted()).toEqual(NOT_SHOWN.toSorted());
  });
});
