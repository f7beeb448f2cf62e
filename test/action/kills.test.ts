import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, Blueprint, CONFIG_MAP, DEPLOYMENT, EVENT, POD } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import type { FaultLine } from '../faults/fault-line.ts';
import { lineToCluster } from '../faults/line-to-cluster.ts';
import { IS_CAMPAIGN } from '../faults/seeded-random.ts';
import { objectOf } from '../kube-kinds.ts';
import { isUp, podClusters, shellPod } from '../pod-clusters.ts';
import { ActionCluster, errorOf, on, phasesOf, SPACE } from './action-cluster.ts';

const REFERENCE = { apiVersion: 'v1', group: '', resource: 'configmaps', namespace: SPACE };
const configMap = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: SPACE } });
const ops = (name: string, args: JsonObject): JsonObject => ({
  func: 'KubeOps',
  name,
  args: { namespace: SPACE, ...args },
});
const deferOf = (status: JsonObject): JsonObject => objectsAt(status, 'actions')[0]!['deferPhase'] as JsonObject;

/** On the kubelet in the campaign: what is killed is the server, which is the same everywhere. */
const KINDS = (await podClusters()).filter(({ name }) => IS_CAMPAIGN || name === 'pocket');
for (const kind of KINDS) {
  describe.skipIf(kind.missing)(kind.title('a server that is killed or refused'), { timeout: 240_000 }, () => {
    let cluster: ActionCluster;
    let line: FaultLine;
    let through: string;
    beforeAll(async () => {
      cluster = await ActionCluster.start(kind, async ({ home, kubeconfig }) => {
        through = join(home.path, 'line.kubeconfig');
        line = await lineToCluster(kubeconfig, through);
        return through;
      });
    }, 240_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
      await line?.[Symbol.asyncDispose]();
    });
    const begin = async (name: string, action: JsonObject, more: JsonObject = {}): Promise<void> => {
      await cluster.blueprint(name, { go: action });
      await cluster.create(name, [on('go', name, more)]);
    };
    const runs = async (name: string, phase: string): Promise<void> => {
      await cluster.status(name, (status) => textAt(status, 'progress', 'runningPhase') === phase);
    };
    const started = async (name: string): Promise<string[]> => {
      const found: string[] = [];
      const options = { fieldSelector: `involvedObject.name=${name}` };
      for await (const { items } of cluster.kube.list({ type: EVENT, namespace: SPACE }, options))
        for (const event of items) {
          const {
            reason = '',
            count = 1,
            message = '',
          } = event as { reason?: string; count?: number; message?: string };
          if (/^Started (Phase|deferPhase)$/.test(reason)) found.push(...Array<string>(count).fill(message));
        }
      return found.toSorted();
    };

    it('goes on with its numbers while every third status write is refused', async () => {
      let writes = 0;
      line.rule(({ method, path }) => {
        if (!path.includes('/actionsets/trouble') || method === 'GET') return undefined;
        writes += 1;
        if (writes % 3 !== 0) return undefined;
        const [status, reason] = writes % 2 === 0 ? [500, 'InternalError'] : [409, 'Conflict'];
        const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status });
        return { kind: 'answer', status, headers: { 'content-type': 'application/json' }, body };
      });
      await begin('trouble', { phases: ['a', 'b', 'c'].map((name) => cluster.task(name, 'sleep 2')) });
      const seen: number[] = [];
      const ended = await cluster.status('trouble', (status) => {
        seen.push(Number(textAt(status, 'progress', 'percentCompleted') ?? '0'));
        return status['state'] !== 'running' && status['state'] !== 'pending' && status['state'] !== undefined;
      });
      line.clear();
      expect([ended['state'], errorOf(ended)]).toEqual(['complete', '']);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
      expect(new Set(seen).size).toBeGreaterThan(3);
      expect(seen.at(-1)).toBe(100);
      expect(writes).toBeGreaterThan(6);
      expect(phasesOf(ended).map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    });

    it('repeats the calls it made, and nothing is done twice', async () => {
      const { kube } = cluster;
      // It takes its time to end, so that a kill finds it on the way.
      const app = shellPod('x', "trap '' TERM; sleep 1000 & wait; sleep 1000", {
        spec: { terminationGracePeriodSeconds: 8 },
      });
      const template = {
        metadata: { labels: { app: 'web' } },
        spec: { ...(app['spec'] as JsonObject), restartPolicy: 'Always' },
      };
      const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
      await kube.create({ type: DEPLOYMENT, namespace: SPACE }, objectOf(DEPLOYMENT, 'web', { spec }));
      await eventually(
        async () => {
          const web = await kube.get({ type: DEPLOYMENT, namespace: SPACE, name: 'web' });
          expect(valueAt(web, 'status', 'readyReplicas')).toBe(2);
        },
        { withinMs: 60_000 },
      );
      await kube.create(
        { type: CONFIG_MAP, namespace: SPACE },
        objectOf(CONFIG_MAP, 'held', { metadata: { finalizers: ['example.com/held'] } }),
      );
      await kube.create(
        { type: CONFIG_MAP, namespace: SPACE },
        objectOf(CONFIG_MAP, 'awaited', { data: { is: 'no' } }),
      );
      const later = cluster.task('later', 'true');
      const condition = '{{ if eq .data.is "yes" }}true{{ end }}';
      const wait = {
        timeout: '2m',
        conditions: { allOf: [{ condition, objectReference: { ...REFERENCE, name: 'awaited' } }] },
      };
      // Templates see the pods that were there when the set began, whoever goes on with it.
      const count = `echo '###Phase-output###: {"key":"pods","value":"{{ len .Deployment.Pods }}"}'`;
      const down = { func: 'ScaleWorkload', name: 'down', args: { replicas: 0 } };
      const object = { kind: 'Deployment', name: 'web', namespace: SPACE };
      await begin('scale', { phases: [down, cluster.task('count', count)], deferPhase: later }, { object });
      await begin('delete', {
        phases: [ops('gone', { operation: 'delete', objectReference: { ...REFERENCE, name: 'held' } })],
        deferPhase: later,
      });
      await begin('wait', { phases: [{ func: 'WaitV2', name: 'wait', args: wait }], deferPhase: later });
      // The object is there, and the answer that it is does not come.
      const created = line.holds(({ method, path }) => method === 'POST' && path.includes('/configmaps'), 'after');
      await begin('create', {
        phases: [ops('make', { operation: 'create', spec: configMap('made') })],
        deferPhase: later,
      });
      await created;
      await runs('wait', 'wait');
      await eventually(async () => {
        const web = await kube.get({ type: DEPLOYMENT, namespace: SPACE, name: 'web' });
        expect(valueAt(web, 'spec', 'replicas')).toBe(0);
        const held = await kube.get({ type: CONFIG_MAP, namespace: SPACE, name: 'held' });
        expect(held.metadata.deletionTimestamp).toBeDefined();
      });
      await cluster.kill();
      line.clear();
      const made = await eventually(() => kube.get({ type: CONFIG_MAP, namespace: SPACE, name: 'made' }));
      await cluster.serve(through);
      await kube.patch(
        { type: CONFIG_MAP, namespace: SPACE, name: 'held' },
        { kind: 'merge', body: { metadata: { finalizers: null } } },
      );
      await kube.patch(
        { type: CONFIG_MAP, namespace: SPACE, name: 'awaited' },
        { kind: 'merge', body: { data: { is: 'yes' } } },
      );
      for (const name of ['scale', 'delete', 'wait', 'create']) {
        const ended = await cluster.ended(name);
        expect([name, ended['state'], errorOf(ended)]).toEqual([name, 'complete', '']);
        expect([name, phasesOf(ended)[0]!['attempt'], deferOf(ended)['state']]).toEqual([name, 1, 'complete']);
        // The last events of a process that is killed may be lost; none is told by two.
        const told = await started(name);
        expect(told).toEqual([...new Set(told)]);
      }
      // What it was before the first process scaled it, not what the second one found.
      const outputs = phasesOf(await cluster.ended('scale')).map(({ output }) => output);
      expect(outputs).toEqual([{ originalReplicaCount: 2 }, { pods: '2' }]);
      const after = await kube.get({ type: CONFIG_MAP, namespace: SPACE, name: 'made' });
      expect(after.metadata.uid).toBe(made.metadata.uid);
    });

    it('finds deferPhase again, and fails what cannot be found', async () => {
      const { kube } = cluster;
      await kube.create({ type: POD, namespace: SPACE }, shellPod('app', 'sleep 1000'));
      await isUp(kube, SPACE, 'app');
      const exec = { func: 'KubeExec', name: 'later', args: { namespace: SPACE, pod: 'app', command: ['sleep', '6'] } };
      const long = [cluster.task('long', 'sleep 1000')];
      await begin('defer-pod', { phases: [cluster.task('one', 'true')], deferPhase: cluster.task('later', 'sleep 5') });
      await begin('defer-exec', { phases: [cluster.task('one', 'true')], deferPhase: exec });
      await begin('edited', { phases: long, deferPhase: cluster.task('later', 'true') });
      await begin('unread', { phases: long, deferPhase: cluster.task('later', 'true') });
      await begin('longer', { phases: long, deferPhase: cluster.task('later', 'true') });
      for (const name of ['defer-pod', 'defer-exec']) await runs(name, 'later');
      for (const name of ['edited', 'unread', 'longer'])
        await cluster.status(name, (status) => valueAt(phasesOf(status)[0], 'progress', 'progressPercent') === '33.33');
      await cluster.kill();
      const other = { spec: { actions: [on('go', 'longer')] } };
      await kube.patch({ type: ActionSet, namespace: SPACE, name: 'edited' }, { kind: 'merge', body: other });
      const more = { spec: { actions: [on('go', 'longer'), on('go', 'longer')] } };
      await kube.patch({ type: ActionSet, namespace: SPACE, name: 'longer' }, { kind: 'merge', body: more });
      await kube.delete({ type: Blueprint, namespace: SPACE, name: 'unread' });
      await cluster.serve(through);
      const pod = await cluster.ended('defer-pod');
      expect([pod['state'], deferOf(pod)['attempt'], phasesOf(pod)[0]!['attempt']]).toEqual(['complete', 1, 1]);
      const failed = await cluster.ended('defer-exec');
      expect(failed['state']).toBe('failed');
      expect(errorOf(failed)).toContain('Headway ended while the command of KubeExec ran');
      expect(errorOf(await cluster.ended('edited'))).toContain('was edited after it began');
      const longer = await cluster.ended('longer');
      expect(errorOf(longer)).toContain('was edited after it began');
      // Its own deferPhase is still what was begun.
      expect([longer['state'], deferOf(longer)['state']]).toEqual(['failed', 'complete']);
      expect(errorOf(await cluster.ended('unread'))).toContain('blueprints.cr.kanister.io "unread" not found');
      await eventually(
        async () => {
          expect(await cluster.pods()).toEqual([]);
        },
        { withinMs: 30_000 },
      );
    });
  });
}
