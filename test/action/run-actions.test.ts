import { afterAll, beforeAll, expect, it } from 'vitest';
import { ActionSet, EVENT, POD } from '../../src/api/index.ts';
import { objectAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import { IS_CAMPAIGN } from '../faults/seeded-random.ts';
import { describeOn, isUp, podClusters, sayIn, shellPod } from '../pod-clusters.ts';
import { ActionCluster, errorOf, on, phasesOf, SPACE } from './action-cluster.ts';

for (const kind of await podClusters()) {
  describeOn(kind, kind.title('ActionSets'), { timeout: 120_000 }, () => {
    // What says nothing of a kubelet is tried on one in the campaign only.
    const isLeftOut = kind.name === 'kubelet' && !IS_CAMPAIGN;
    const only = isLeftOut ? ' (skipped: npm run campaign does it)' : '';
    let cluster: ActionCluster;
    beforeAll(async () => {
      cluster = await ActionCluster.start(kind);
    }, 180_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });

    it('show thirds, the mean, and what runs, and end with outputs and artifacts', async () => {
      await cluster.blueprint('thirds', {
        go: {
          outputArtifacts: { made: { keyValue: { path: '{{ .Phases.one.Output.path }}', fixed: 'x' } } },
          phases: [
            cluster.task('one', `echo '###Phase-output###: {"key":"path","value":"/a"}'`),
            cluster.task(
              'two',
              `sleep 4; printf '###Phase-output###: {"key":"last","value":"{{ .Phases.one.Output.path }}"}'`,
            ),
            cluster.task('three', 'true'),
          ],
        },
      });
      await cluster.create('thirds', [on('go', 'thirds')]);
      const running = await cluster.status(
        'thirds',
        (status) => textAt(status, 'progress', 'percentCompleted') === '44.44',
      );
      expect(running).toMatchObject({
        state: 'running',
        progress: { percentCompleted: '44.44', percent: 44, runningPhase: 'two' },
      });
      expect(phasesOf(running).map(({ name, state }) => [name, state])).toEqual([
        ['one', 'complete'],
        ['two', 'running'],
        ['three', 'pending'],
      ]);
      expect(valueAt(phasesOf(running)[1], 'progress', 'progressPercent')).toBe('33.33');
      expect(textAt(objectAt(running, 'actions', '0'), 'artifacts') ?? JSON.stringify(running)).toContain('{{ .Phases');
      const ended = await cluster.ended('thirds');
      expect(ended).toMatchObject({
        state: 'complete',
        progress: { percentCompleted: '100.00', percent: 100, runningPhase: '' },
        actions: [{ artifacts: { made: { keyValue: { path: '/a', fixed: 'x' } } } }],
      });
      expect(phasesOf(ended).map(({ output }) => output)).toEqual([{ path: '/a' }, { last: '/a' }, undefined]);
      expect(await cluster.pods()).toEqual([]);
      expect((await cluster.get('thirds')).metadata.finalizers ?? []).toEqual([]);
    });

    it('fail only after deferPhase has run, and tell why', async () => {
      await cluster.blueprint('defer', {
        go: {
          phases: [cluster.task('one', 'echo broken; exit 3'), cluster.task('two', 'true')],
          deferPhase: cluster.task('later', `sleep 2; echo '###Phase-output###: {"key":"d","value":"1"}'`),
        },
      });
      await cluster.create('defer', [on('go', 'defer')]);
      const during = await cluster.status('defer', (status) => textAt(status, 'progress', 'runningPhase') === 'later');
      expect(during['state']).toBe('running');
      const ended = await cluster.ended('defer');
      expect(ended['state']).toBe('failed');
      expect(errorOf(ended)).toContain('broken');
      expect(phasesOf(ended).map(({ state }) => state)).toEqual(['failed', 'pending']);
      expect(ended).toMatchObject({ actions: [{ deferPhase: { state: 'complete', output: { d: '1' } } }] });
    });

    it('refuse what cannot run, with all problems at once, in status and an event', async () => {
      await cluster.blueprint('wrong', {
        go: {
          inputArtifactNames: ['missing'],
          phases: [
            { func: 'NoSuch', name: 'one', args: {} },
            cluster.task('two', 'true', { nonsense: 'x', other: null }),
          ],
        },
      });
      const startedAt = Date.now();
      await cluster.create('wrong', [on('go', 'wrong', { secrets: { s: { name: 'gone', namespace: SPACE } } })]);
      const ended = await cluster.ended('wrong');
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      for (const word of ['NoSuch', 'nonsense', 'artifact missing', 'secrets "gone" not found']) {
        expect(errorOf(ended)).toContain(word);
      }
      await eventually(async () => {
        const found: string[] = [];
        const options = { fieldSelector: 'involvedObject.name=wrong' };
        for await (const { items } of cluster.kube.list({ type: EVENT, namespace: SPACE }, options)) {
          for (const event of items) found.push(textAt(event, 'type') ?? '');
        }
        expect(found).toContain('Warning');
      });
    });

    it('are canceled: the pod goes, deferPhase runs', async () => {
      await cluster.blueprint('cancel', {
        go: { phases: [cluster.task('long', 'sleep 1000')], deferPhase: cluster.task('later', 'true') },
      });
      await cluster.create('cancel', [on('go', 'cancel')]);
      await cluster.status(
        'cancel',
        (status) => valueAt(phasesOf(status)[0], 'progress', 'progressPercent') === '33.33',
      );
      const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
      await cluster.kube.patch({ type: ActionSet, namespace: SPACE, name: 'cancel' }, { kind: 'merge', body });
      const ended = await cluster.ended('cancel');
      expect(ended).toMatchObject({ state: 'failed', error: { message: 'canceled' } });
      expect(ended).toMatchObject({ actions: [{ phases: [{ state: 'failed' }], deferPhase: { state: 'complete' } }] });
      expect(ended['conditions']).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Canceled' })]));
      expect(await cluster.pods()).toEqual([]);
    });

    it.skipIf(isLeftOut)(`run their deferPhase to its end once, also when they are canceled in it${only}`, async () => {
      await cluster.kube.create({ type: POD, namespace: SPACE }, shellPod('counter', 'sleep 1000'));
      await isUp(cluster.kube, SPACE, 'counter');
      const once = 'echo x >> /tmp/ran; sleep 3';
      const args = { namespace: SPACE, pod: 'counter', command: ['sh', '-c', once] };
      await cluster.blueprint('late-cancel', {
        exec: { phases: [cluster.task('one', 'true')], deferPhase: { func: 'KubeExec', name: 'later', args } },
        task: { phases: [cluster.task('one', 'exit 1')], deferPhase: cluster.task('later', 'sleep 3') },
      });
      for (const name of ['exec', 'task']) await cluster.create(`late-${name}`, [on(name, 'late-cancel')]);
      const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
      for (const name of ['exec', 'task']) {
        await cluster.status(
          `late-${name}`,
          ({ actions }) =>
            valueAt((actions as JsonObject[])[0], 'deferPhase', 'progress', 'progressPercent') === '33.33',
        );
        await cluster.kube.patch({ type: ActionSet, namespace: SPACE, name: `late-${name}` }, { kind: 'merge', body });
      }
      for (const name of ['exec', 'task']) {
        const ended = await cluster.ended(`late-${name}`);
        expect(ended).toMatchObject({ state: 'failed', error: { message: 'canceled' } });
        expect(ended).toMatchObject({ actions: [{ deferPhase: { state: 'complete', attempt: 1 } }] });
      }
      expect(await sayIn(cluster.kube, { namespace: SPACE, name: 'counter' }, 'cat /tmp/ran')).toBe('x\n');
    });

    it.skipIf(isLeftOut)(
      `of the same Blueprint run at the same time, and none sees anything of another${only}`,
      async () => {
        const say = (key: string): string => `echo '###Phase-output###: {"key":"${key}","value":"{{ .Options.own }}"}'`;
        await cluster.blueprint('same', {
          go: {
            outputArtifacts: { o: { keyValue: { own: '{{ .Phases.one.Output.a }}-{{ .Phases.two.Output.b }}' } } },
            phases: [cluster.task('one', `sleep 1; ${say('a')}`), cluster.task('two', say('b'))],
          },
        });
        const names = Array.from({ length: 6 }, (_, index) => `same-${String(index)}`);
        const both = (name: string): JsonObject[] =>
          ['x', 'y'].map((part) => on('go', 'same', { options: { own: `${name}${part}` } }));
        await Promise.all(names.map((name) => cluster.create(name, both(name))));
        for (const name of names) {
          const ended = await cluster.ended(name);
          expect(ended, JSON.stringify(ended)).toMatchObject({
            state: 'complete',
            actions: ['x', 'y'].map((part) => ({
              phases: [{ output: { a: `${name}${part}` } }, { output: { b: `${name}${part}` } }],
              artifacts: { o: { keyValue: { own: `${name}${part}-${name}${part}` } } },
            })),
          });
        }
        expect(await cluster.pods()).toEqual([]);
      },
    );

    it('go on after a kill: a pod is found again, and nothing is done twice', async () => {
      await cluster.blueprint('kill', {
        go: {
          phases: [
            cluster.task(
              'one',
              `until [ -e /tmp/go ]; do sleep 0.2; done; echo '###Phase-output###: {"key":"went","value":"on"}'`,
              { namespace: SPACE },
            ),
            cluster.task('two', 'true'),
          ],
        },
      });
      await cluster.create('kill', [on('go', 'kill')]);
      const before = await cluster.status(
        'kill',
        (status) => valueAt(phasesOf(status)[0], 'progress', 'progressPercent') === '33.33',
      );
      const pods = await cluster.pods();
      expect(pods).toHaveLength(1);
      await cluster.kill();
      await cluster.serve();
      expect(before['state']).toBe('running');
      expect(await cluster.pods()).toEqual(pods);
      await sayIn(cluster.kube, { namespace: SPACE, name: pods[0]! }, 'touch /tmp/go');
      const ended = await cluster.ended('kill');
      expect(ended['state']).toBe('complete');
      expect(phasesOf(ended)[0]!['output']).toEqual({ went: 'on' });
      expect(phasesOf(ended).map(({ attempt }) => attempt)).toEqual([1, 1]);
      expect(await cluster.pods()).toEqual([]);
    });

    it.skipIf(isLeftOut)(
      `fail after a kill where a command ran in a container, unless tried again${only}`,
      async () => {
        const exec = (name: string, more: JsonObject): JsonObject => ({
          ...{ func: 'KubeExec', name, ...more },
          args: { namespace: SPACE, pod: 'app', command: ['sh', '-c', 'echo x >> /tmp/ran; sleep 4'] },
        });
        await cluster.blueprint('exec', {
          once: { phases: [exec('run', {})], deferPhase: cluster.task('later', 'true') },
          again: { phases: [exec('run', { retries: 1 })] },
        });
        await cluster.kube.create({ type: POD, namespace: SPACE }, shellPod('app', 'sleep 1000'));
        await isUp(cluster.kube, SPACE, 'app');
        await cluster.create('once', [on('once', 'exec')]);
        await cluster.create('again', [on('again', 'exec')]);
        const isRunning = (status: JsonObject): boolean =>
          valueAt(phasesOf(status)[0], 'progress', 'progressPercent') === '33.33';
        for (const name of ['once', 'again']) await cluster.status(name, isRunning);
        await cluster.kill();
        await cluster.serve();
        const once = await cluster.ended('once');
        expect(errorOf(once)).toContain('Headway ended while the command of KubeExec ran');
        expect(once).toMatchObject({ state: 'failed', actions: [{ deferPhase: { state: 'complete' } }] });
        const again = await cluster.ended('again');
        expect(again['state']).toBe('complete');
        expect(phasesOf(again)[0]).toMatchObject({ state: 'complete', attempt: 2 });
        expect(await sayIn(cluster.kube, { namespace: SPACE, name: 'app' }, 'cat /tmp/ran')).toBe('x\nx\nx\n');
      },
    );

    it.skipIf(isLeftOut)(`fail when they are edited after they began, with deferPhase run${only}`, async () => {
      await cluster.blueprint('edit', {
        go: { phases: [cluster.task('long', 'sleep 1000')], deferPhase: cluster.task('later', 'true') },
      });
      await cluster.create('edit', [on('go', 'edit')]);
      await cluster.status('edit', (status) => textAt(status, 'progress', 'runningPhase') === 'long');
      const body = { spec: { actions: [on('go', 'other')] } };
      await cluster.kube.patch({ type: ActionSet, namespace: SPACE, name: 'edit' }, { kind: 'merge', body });
      const ended = await cluster.ended('edit');
      expect(errorOf(ended)).toContain('edited');
      expect(ended).toMatchObject({ state: 'failed', actions: [{ deferPhase: { state: 'complete' } }] });
    });

    it('are deleted when their time is over, and while they run', async () => {
      await cluster.blueprint('gone', {
        go: { phases: [cluster.task('one', 'true')] },
        long: { phases: [cluster.task('one', 'sleep 1000')] },
      });
      await cluster.create('ttl', [on('go', 'gone')], { ttlSecondsAfterFinished: 1 });
      await cluster.create('deleted', [on('long', 'gone')]);
      await cluster.status('deleted', (status) => textAt(status, 'progress', 'runningPhase') === 'one');
      await cluster.kube.delete({ type: ActionSet, namespace: SPACE, name: 'deleted' });
      for (const name of ['ttl', 'deleted']) {
        await eventually(() => expect(cluster.get(name)).rejects.toMatchObject({ code: 'notFound' }), {
          withinMs: 60_000,
        });
      }
      await eventually(
        async () => {
          expect(await cluster.pods()).toEqual([]);
        },
        { withinMs: 30_000 },
      );
    });
  });
}
