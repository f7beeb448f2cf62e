import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, Blueprint, DEPLOYMENT, POD, Profile, SECRET } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { ActionCluster, on, phasesOf, SPACE } from '../action/action-cluster.ts';
import { eventually } from '../eventually.ts';
import type { Finished, Running } from '../headway-process.ts';
import { objectOf } from '../kube-kinds.ts';
import { isUp, podClusters, shellPod } from '../pod-clusters.ts';

const pocket = (await podClusters()).find(({ name }) => name === 'pocket')!;

describe.skipIf(pocket.missing)(pocket.title('the command line of actions'), { timeout: 120_000 }, () => {
  let cluster: ActionCluster;
  beforeAll(async () => {
    cluster = await ActionCluster.start(pocket);
  }, 120_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });
  const args = (...more: string[]): string[] => ['action', ...more, '-n', SPACE, '--kubeconfig', cluster.kubeconfig];
  const run = (...more: string[]): Promise<Finished> => cluster.home.run(...args(...more));
  const start = (...more: string[]): Running => cluster.home.start(...args(...more));

  describe('headway action logs', () => {
    // Phases wait for files, because a command takes its time to start.
    const gate = mkdtempSync(join(tmpdir(), 'headway-gate-'));
    afterAll(() => {
      rmSync(gate, { recursive: true, force: true });
    });
    const open = (name: string): void => {
      writeFileSync(join(gate, name), '');
    };
    const waitFor = (name: string): string => `until [ -e /gate/${name} ]; do sleep 0.1; done`;
    const podOverride = {
      containers: [{ name: 'container', volumeMounts: [{ name: 'gate', mountPath: '/gate' }] }],
      volumes: [{ name: 'gate', hostPath: { path: gate } }],
    };

    it('follows every phase from its beginning to its end, or one of them', async () => {
      await cluster.blueprint('talk', {
        go: {
          phases: [
            cluster.task('one', `echo one begins; ${waitFor('one')}; echo one ends`),
            cluster.task('two', `echo only two; ${waitFor('two')}; exit 4`),
          ],
          deferPhase: cluster.task('last', `echo the last word; ${waitFor('last')}`),
        },
      });
      await cluster.create('talk', [on('go', 'talk', { podOverride })]);
      const all = start('logs', 'talk');
      const one = start('logs', 'talk', '-f', '--phase', 'two');
      await all.prints('one: one begins\n');
      const soFar = await run('logs', 'talk', '--no-follow');
      expect(soFar).toMatchObject({ code: 0, out: 'one: one begins\n' });
      const wrong = await run('logs', 'talk', '--phase', 'none');
      expect(wrong.code).toBe(2);
      expect(wrong.err).toContain('action set "talk" has no phase "none"; it has one, two, last');
      open('one');
      await all.prints('two: only two\n');
      await one.prints('two: only two\n');
      open('two');
      await all.prints('last: the last word\n');
      open('last');
      const ended = await all.finished();
      expect(ended.code).toBe(1);
      expect(ended.out.split('\n')).toEqual([
        'one: one begins',
        'one: one ends',
        'two: only two',
        'last: the last word',
        '',
      ]);
      expect(await one.finished()).toMatchObject({ code: 1, out: 'two: only two\n' });
    });

    it('shows live what a command in a pod of yours prints, and its last lines when it has ended', async () => {
      const more = {
        spec: { volumes: [{ name: 'gate', hostPath: { path: gate } }] },
        container: { volumeMounts: [{ name: 'gate', mountPath: '/gate' }] },
      };
      await cluster.kube.create({ type: POD, namespace: SPACE }, shellPod('host', 'sleep 1000', more));
      await isUp(cluster.kube, SPACE, 'host');
      const script = `echo password=hunter2 begins; ${waitFor('exec')}; echo it ends >&2`;
      const exec = { namespace: SPACE, pod: 'host', command: ['sh', '-c', script] };
      await cluster.blueprint('shout', {
        go: {
          phases: [
            cluster.task('before', 'echo in a pod that is gone'),
            { func: 'KubeExec', name: 'say', args: exec },
            cluster.task('after', 'echo in a pod'),
          ],
        },
      });
      await cluster.create('shout', [on('go', 'shout')]);
      await eventually(async () => {
        expect(phasesOf((await cluster.get('shout'))['status'] as JsonObject)[1]).toMatchObject({ state: 'running' });
      });
      const followed = start('logs', 'shout', '--server', cluster.url);
      await followed.prints('before: in a pod that is gone\n');
      await followed.prints('say: password=*** begins\n');
      open('exec');
      const { code, out } = await followed.finished();
      // Also of a pod that lives so shortly that its own log is gone before it can be opened.
      expect([code, out.split('\n').toSorted()]).toEqual([
        0,
        ['', 'after: in a pod', 'before: in a pod that is gone', 'say: it ends', 'say: password=*** begins'],
      ]);
      const left = await run('logs', 'shout', '--server', cluster.url, '--phase', 'say');
      expect(left.out).toMatch(/^say: password=\*\*\* begins\nsay: it ends\n\d\d:/);
      expect(left.out).not.toContain('in a pod');
    });

    it('tells what is left of one that has ended, and ends as that did', async () => {
      await cluster.ended('talk');
      const { code, out, err } = await run('logs', 'talk');
      expect(code).toBe(1);
      expect(err).toContain('It has ended: its pods are gone');
      expect(out).toMatch(/^\d\d:\d\d:\d\d {2}\w+/m);
      expect(out).toContain('only two');
      const first = await run('logs', 'talk', '--phase', 'one');
      expect(first.out).not.toContain('only two');
    });

    it('of a set that is not there is an error that says where it looked', async () => {
      const { code, err } = await run('logs', 'gone');
      expect(code).toBe(3);
      expect(err).toContain('"gone"');
      expect(err).toContain(SPACE);
    });
  });

  it('create --wait ends as the set did, and --from goes on with its artifacts', async () => {
    await cluster.blueprint('chain', {
      backup: {
        outputArtifacts: { dump: { keyValue: { path: '{{ .Phases.dump.Output.path }}' } } },
        phases: [cluster.task('dump', 'kando output path /dumps/{{ .Options.file }}')],
      },
      restore: {
        inputArtifactNames: ['dump'],
        phases: [cluster.task('load', 'kando output got {{ .ArtifactsIn.dump.KeyValue.path }}')],
      },
      fail: { phases: [cluster.task('no', 'exit 1')] },
    });
    const object = ['--object', `namespace/${SPACE}`];
    const first = [
      'create',
      'chain-1',
      '--action',
      'backup',
      '--blueprint',
      'chain',
      ...object,
      '--options',
      'file=x.gz',
    ];
    expect(await run(...first, '--wait')).toMatchObject({ code: 0 });
    expect(await run('create', 'chain-2', '--action', 'restore', '--from', 'chain-1', '--wait')).toMatchObject({
      code: 0,
    });
    const status = await cluster.ended('chain-2');
    expect(phasesOf(status)[0]).toMatchObject({ output: { got: '/dumps/x.gz' } });
    const failed = await run('create', 'chain-3', '--action', 'fail', '--blueprint', 'chain', ...object, '--wait');
    expect(failed.code).toBe(1);
  });

  it('what stock kanctl sends is run', async () => {
    const { kube } = cluster;
    const empty = { apiVersion: '', group: '', resource: '', kind: '' };
    const labels = { app: 'time-logger' };
    const container = { name: 'test', image: 'debian', command: ['sleep', '1000'] };
    const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers: [container] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await kube.create({ type: DEPLOYMENT, namespace: SPACE }, objectOf(DEPLOYMENT, 'time-logger', { spec }));
    await eventually(async () => {
      const found = await kube.get({ type: DEPLOYMENT, namespace: SPACE, name: 'time-logger' });
      expect(valueAt(found, 'status', 'readyReplicas')).toBe(1);
    });
    // `kanctl create profile s3compliant`
    const stringData = { aws_access_key_id: 'id', aws_secret_access_key: 'hush-hush', role: '' };
    await kube.create({ type: SECRET, namespace: SPACE }, objectOf(SECRET, 's3-secret-ab12cd', { stringData }));
    const secret = { ...empty, name: 's3-secret-ab12cd', namespace: SPACE };
    const { name: profile } = await send(Profile, {
      metadata: { generateName: 's3-profile-', namespace: SPACE, creationTimestamp: null },
      location: { type: 's3Compliant', bucket: 'b', endpoint: '', prefix: '', region: 'us-east-1' },
      credential: {
        type: 'keyPair',
        keyPair: { idField: 'aws_access_key_id', secretField: 'aws_secret_access_key', secret },
        secret: null,
        kopiaServerSecret: null,
      },
      skipSSLVerify: false,
    });
    await send(Blueprint, {
      metadata: { name: 'time-log-bp', creationTimestamp: null },
      actions: {
        backup: {
          name: '',
          kind: '',
          outputArtifacts: { where: { keyValue: { bucket: '{{ .Phases.say.Output.bucket }}' } } },
          phases: [
            {
              ...{ func: 'KubeExec', name: 'say' },
              objects: null,
              args: {
                namespace: '{{ .Deployment.Namespace }}',
                pod: '{{ index .Deployment.Pods 0 }}',
                container: 'test',
                command: ['sh', '-c', 'kando output bucket {{ .Profile.Location.Bucket }}'],
              },
            },
          ],
        },
        restore: {
          ...{ name: '', kind: '', inputArtifactNames: ['where'] },
          phases: [
            { ...cluster.task('load', 'kando output from {{ .ArtifactsIn.where.KeyValue.bucket }}'), objects: null },
          ],
        },
      },
    });
    await send(ActionSet, {
      metadata: { name: 'backup-9gtmp', creationTimestamp: null },
      spec: {
        actions: [
          {
            name: 'backup',
            object: { ...empty, kind: 'deployment', name: 'time-logger', namespace: SPACE },
            blueprint: 'time-log-bp',
            profile: { ...empty, name: profile, namespace: SPACE },
            ...{ preferredVersion: '', podLabels: null, podAnnotations: null },
          },
        ],
      },
    });
    const status = await cluster.ended('backup-9gtmp');
    expect(textAt(status, 'state'), JSON.stringify(status)).toBe('complete');
    expect(phasesOf(status)[0]).toMatchObject({ output: { bucket: 'b' } });

    // `kanctl create actionset --action restore --from backup-9gtmp`: Blueprint, object and artifacts of the status.
    const [done] = objectsAt(status, 'actions');
    await send(ActionSet, {
      metadata: { name: 'restore-backup-9gtmp-x7k2p', creationTimestamp: null },
      spec: {
        actions: [
          {
            name: 'restore',
            ...{ object: done?.['object'], blueprint: done?.['blueprint'], artifacts: done?.['artifacts'] },
            profile: { ...empty, name: profile, namespace: SPACE },
            ...{ preferredVersion: '', podLabels: null, podAnnotations: null },
          },
        ],
      },
    });
    const restored = await cluster.ended('restore-backup-9gtmp-x7k2p');
    expect(phasesOf(restored)[0], JSON.stringify(restored)).toMatchObject({ state: 'complete', output: { from: 'b' } });

    async function send(type: typeof ActionSet | typeof Blueprint | typeof Profile, body: JsonObject) {
      const whole = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, ...body };
      return (await kube.create({ type, namespace: SPACE }, whole as unknown as KubeObject)).metadata;
    }
  });
});
