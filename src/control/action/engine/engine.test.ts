import { afterEach, describe, expect, it } from 'vitest';
import { phasesOf } from '../../../../test/action/action-cluster.ts';
import {
  deferOf,
  endEngines,
  forEver,
  phase,
  SPACE,
  started,
  statesOf,
  type ScriptedPhase,
} from '../../../../test/action/scripted-engine.ts';
import { objectOf } from '../../../../test/kube-kinds.ts';
import { ActionSet, Blueprint, DEPLOYMENT, POD, SECRET } from '../../../api/index.ts';
import { AppError, textAt, valueAt, type JsonObject } from '../../../base/index.ts';

const REPLICA_SET = { ...DEPLOYMENT, kind: 'ReplicaSet', plural: 'replicasets' };

afterEach(endEngines);

describe('a phase', () => {
  it('with retries is tried again, and only so often', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one', { retries: 2 })] }, no: { phases: [phase('two')] } });
    let tries = 0;
    engine.phases['one'] = {
      run: ({ attempt }) => {
        tries = attempt;
        return attempt < 3 ? Promise.reject(new AppError('invalid', 'not yet')) : Promise.resolve({ n: '3' });
      },
    };
    engine.phases['two'] = { run: () => Promise.reject(new AppError('invalid', 'never')) };
    await engine.create('s', ['go', 'no']);
    const ended = await engine.ended('s');
    expect([tries, engine.ran.filter((name) => name === 'two')]).toEqual([3, ['two']]);
    expect(phasesOf(ended)[0]).toMatchObject({ state: 'complete', attempt: 3 });
    expect(phasesOf(ended)[0]).not.toHaveProperty('reason');
  });

  it('sees its own objects, and those of phases before it also after a restart', async () => {
    const engine = await started();
    const objects = { s: { kind: 'Secret', name: 'key', namespace: SPACE } };
    const command = ['{{ .Phases.one.Secrets.s.Data.k | toString }}'];
    const args = { image: 'i', command };
    await engine.blueprint({ go: { phases: [phase('one', { objects, args }), phase('two', { args })] } });
    const data = { k: Buffer.from('v').toString('base64') };
    await engine.kube.create({ type: SECRET, namespace: SPACE }, objectOf(SECRET, 'key', { data }));
    const seen: string[] = [];
    const see: ScriptedPhase['run'] = (context) => {
      seen.push(...context.args.texts('command'));
      return Promise.resolve({});
    };
    engine.phases['one'] = { run: see };
    engine.phases['two'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.includes('two'));
    await engine.leave();
    const next = await started(engine);
    next.phases['two'] = { run: see };
    expect(await next.ended('s')).toMatchObject({ state: 'complete' });
    expect(seen).toEqual(['v', 'v']);
  });

  it('tells the numbers of its last moment', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')] } });
    let sizeUploadedB = 1;
    engine.phases['one'] = {
      run: () => {
        sizeUploadedB = 1000;
        return Promise.resolve({});
      },
      stats: () => ({ percent: 0, sizeUploadedB }),
    };
    await engine.create('s', ['go']);
    expect(await engine.ended('s')).toMatchObject({ progress: { sizeUploadedB: 1000 } });
  });

  it('fails when its timeout is over, and when its outputs do not fit', async () => {
    const engine = await started();
    await engine.blueprint({ late: { phases: [phase('one', { timeout: '3s' })] }, big: { phases: [phase('two')] } });
    engine.phases['one'] = { run: forEver };
    engine.phases['two'] = { run: () => Promise.resolve({ much: 'x'.repeat(950 * 1024) }) };
    await engine.create('s', ['late', 'big']);
    const ended = await engine.ended('s');
    expect(textAt(ended, 'error', 'message')).toContain('timeout of 3s');
    expect(textAt(ended, 'error', 'message')).toContain('larger than');
  });

  it('fails when its outputs have too many bytes, however few letters, and keeps none of them', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('fits'), phase('much')] } });
    const run = (output: JsonObject): NonNullable<ScriptedPhase['run']> => {
      return async (context) => {
        await context.executed({ output });
        return output;
      };
    };
    engine.phases['fits'] = { run: run({ text: 'x'.repeat(460 * 1024) }) };
    engine.phases['much'] = { run: run({ text: '備'.repeat(200_000) }) };
    await engine.create('s', ['go']);
    const ended = await engine.ended('s');
    expect([statesOf(ended), textAt(ended, 'error', 'message')]).toEqual([
      ['complete', 'failed'],
      expect.stringContaining('larger than'),
    ]);
    expect(phasesOf(ended)[1]).not.toHaveProperty('output');
  });

  it('ends also when its artifacts do not fit beside its outputs', async () => {
    const engine = await started();
    const outputArtifacts = {
      a: { keyValue: { one: '{{ .Phases.one.Output.text }}', two: '{{ .Phases.one.Output.text }}' } },
    };
    await engine.blueprint({ go: { outputArtifacts, phases: [phase('one')] } });
    engine.phases['one'] = { run: () => Promise.resolve({ text: 'x'.repeat(480 * 1024) }) };
    await engine.create('s', ['go']);
    const ended = await engine.ended('s');
    expect([ended['state'], textAt(ended, 'error', 'message')]).toEqual([
      'failed',
      expect.stringContaining('the artifacts are not kept'),
    ]);
    expect(JSON.stringify(ended).length).toBeLessThan(600 * 1024);
  });

  it('tells its last numbers also when its stats fail once', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')] } });
    let stats = () => ({ percent: 3000 });
    const done = Promise.withResolvers<JsonObject>();
    engine.phases['one'] = { run: () => done.promise, stats: () => stats() };
    await engine.create('s', ['go']);
    const percent = () => valueAt(phasesOf(engine.status('s'))[0], 'progress', 'progressPercent');
    await engine.until(() => percent() === '30.00');
    stats = () => {
      throw new Error('broken');
    };
    await engine.pass(3_000);
    expect(percent()).toBe('30.00');
    done.resolve({});
    expect(await engine.ended('s')).toMatchObject({ state: 'complete', progress: { percentCompleted: '100.00' } });
  });
});

describe('a set', () => {
  it('that is edited while it runs, or while nobody runs it, fails and cleans up', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one'), phase('two')], deferPhase: phase('defer') } });
    engine.phases['one'] = { run: forEver };
    for (const name of ['s', 't']) await engine.create(name, ['go']);
    await engine.until(() => engine.ran.length === 2);
    const object = { kind: 'Namespace', name: SPACE, namespace: SPACE };
    const edit = { spec: { actions: [{ name: 'go', blueprint: 'b', object, options: { a: 'b' } }] } };
    await engine.change('s', edit);
    const ended = await engine.ended('s');
    expect([ended['state'], textAt(ended, 'error', 'message')]).toEqual([
      'failed',
      expect.stringContaining('edited after it began'),
    ]);
    expect([statesOf(ended), deferOf(ended)['state']]).toEqual([['failed', 'pending'], 'complete']);
    expect(statesOf(engine.status('t'))).toEqual(['running', 'pending']);
    await engine.leave();
    await engine.change('t', { spec: { actions: [{ name: 'other', blueprint: 'b', object }] } });
    const next = await started(engine);
    const late = await next.ended('t');
    expect([late['state'], next.ran]).toEqual(['failed', []]);
    expect(textAt(late, 'error', 'message')).toContain('edited after it began');
  });

  it('that got another action while nobody ran it fails', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')] } });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.length === 1);
    await engine.leave();
    const { spec } = engine.kube.peek({ type: ActionSet, namespace: SPACE, name: 's' }) as unknown as {
      spec: { actions: JsonObject[] };
    };
    await engine.change('s', { spec: { actions: [...spec.actions, ...spec.actions] } });
    const next = await started(engine);
    expect(textAt(await next.ended('s'), 'error', 'message')).toContain('edited after it began');
    expect(next.ran).toEqual([]);
  });

  it('goes on after a restart though a Secret of it is gone, with the pods that its object had', async () => {
    const engine = await started();
    const command = ['{{ index .Deployment.Pods 0 }}'];
    await engine.blueprint({ go: { phases: [phase('one', { args: { image: 'i', command } })] } });
    await engine.kube.create({ type: SECRET, namespace: SPACE }, objectOf(SECRET, 'key', { data: {} }));
    const web = await engine.kube.create(
      { type: DEPLOYMENT, namespace: SPACE },
      objectOf(DEPLOYMENT, 'web', { spec: {} }),
    );
    const ownedBy = (uid: string | undefined): JsonObject => ({
      ownerReferences: [{ uid: uid ?? '' }] as JsonObject[],
    });
    const set = await engine.kube.create(
      { type: REPLICA_SET, namespace: SPACE },
      objectOf(REPLICA_SET, 'web-1', { metadata: ownedBy(web.metadata.uid) }),
    );
    const pod = { type: POD, namespace: SPACE };
    await engine.kube.create(pod, objectOf(POD, 'web-1-a', { metadata: ownedBy(set.metadata.uid), spec: {} }));
    engine.phases['one'] = { run: forEver };
    const object = { kind: 'Deployment', name: 'web', namespace: SPACE };
    const secrets = { s: { name: 'key', namespace: SPACE } };
    const actions = [{ name: 'go', blueprint: 'b', object, secrets }];
    await engine.create('s', [], { spec: { actions } });
    await engine.until(() => engine.ran.length === 1);
    await engine.leave();
    await engine.kube.delete({ ...pod, name: 'web-1-a' });
    await engine.kube.delete({ type: SECRET, namespace: SPACE, name: 'key' });
    const next = await started(engine);
    let seen: readonly string[] = [];
    next.phases['one'] = {
      run: ({ args }) => {
        seen = args.texts('command');
        return Promise.resolve({});
      },
    };
    const ended = await next.ended('s');
    expect([ended['state'], seen], JSON.stringify(ended)).toEqual(['complete', ['web-1-a']]);
  });

  it('that is canceled takes its pods with it, and no others', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')] } });
    const pod = { type: POD, namespace: SPACE };
    engine.phases['one'] = {
      run: async (context, signal) => {
        const labels = { createdBy: 'kanister' };
        const own = { labels, ownerReferences: [{ uid: context.actionSet.metadata.uid ?? '' }] as JsonObject[] };
        await engine.kube.create(pod, objectOf(POD, 'own', { metadata: own }));
        await engine.kube.create(pod, objectOf(POD, 'other', { metadata: { labels } }));
        return await forEver(context, signal);
      },
    };
    await engine.create('s', ['go']);
    await engine.until(() => engine.kube.peek({ ...pod, name: 'other' }) !== undefined);
    await engine.change('s', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    await engine.ended('s');
    expect(['own', 'other'].map((name) => engine.kube.peek({ ...pod, name })?.metadata.name)).toEqual([
      undefined,
      'other',
    ]);
  });

  it('keeps the finalizers of others', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')] } });
    await engine.create('s', ['go'], { metadata: { finalizers: ['example.org/mine'] } });
    await engine.ended('s');
    const { metadata } = engine.kube.peek({ type: ActionSet, namespace: SPACE, name: 's' }) ?? {};
    expect(metadata?.finalizers).toEqual(['example.org/mine']);
  });

  it('that is deleted runs its deferPhase before it goes', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')], deferPhase: phase('defer') } });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.length === 1);
    await engine.kube.delete({ type: ActionSet, namespace: SPACE, name: 's' });
    await engine.until(() => engine.kube.peek({ type: ActionSet, namespace: SPACE, name: 's' }) === undefined);
    expect(engine.ran).toEqual(['one', 'defer']);
  });

  it('whose Blueprint was changed while nobody ran it fails', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one'), phase('two')] } });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.length === 1);
    await engine.leave();
    const body = { actions: { go: { phases: [phase('one'), phase('another')] } } };
    await engine.kube.patch({ type: Blueprint, namespace: SPACE, name: 'b' }, { kind: 'merge', body });
    const next = await started(engine);
    expect(textAt(await next.ended('s'), 'error', 'message')).toContain('Blueprint b was changed while it ran');
    expect(next.ran).toEqual([]);
  });
});
