import { afterEach, describe, expect, it } from 'vitest';
import { phasesOf } from '../../../../test/action/action-cluster.ts';
import {
  endEngines,
  forEver,
  phase,
  SPACE,
  started,
  statesOf,
  type ScriptedEngine,
  type ScriptedPhase,
} from '../../../../test/action/scripted-engine.ts';
import { objectOf } from '../../../../test/kube-kinds.ts';
import { ActionSet, Blueprint, CONFIG_MAP, CREATED_BY_KANISTER, OWNER_UID_LABEL, SECRET } from '../../../api/index.ts';
import { AppError, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { FINALIZER } from './finalizer.ts';

afterEach(endEngines);

describe('a process that is told to stop', () => {
  it('while it writes that a phase is complete does not begin the next one', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one'), phase('two')] } });
    engine.kube.before = ({ verb, body }) => {
      const [first] = objectsAt(objectsAt(body as JsonObject, 'status', 'actions')[0], 'phases');
      if (verb === 'patch' && textAt(first, 'state') === 'complete') {
        engine.stop.abort(new AppError('canceled', 'the process stops'));
      }
    };
    await engine.create('s', ['go']);
    await engine.until(() => engine.stop.signal.aborted);
    await engine.leave();
    expect([statesOf(engine.status('s')), engine.ran]).toEqual([['complete', 'pending'], ['one']]);
    engine.kube.before = () => undefined;
    const next = await started(engine);
    expect(statesOf(await next.ended('s'))).toEqual(['complete', 'complete']);
    expect(next.ran).toEqual(['two']);
  });

  it.each([
    ['KubeExec', 'failed', [], 'Headway ended while the command of KubeExec ran'],
    ['KubeTask', 'complete', ['one'], ''],
  ])('inside of %s leaves it %s', async (func, state, ran, error) => {
    const engine = await started();
    const args = func === 'KubeExec' ? { namespace: SPACE, pod: 'p', command: ['true'] } : {};
    await engine.blueprint({ go: { phases: [phase('one', { func, ...(func === 'KubeExec' && { args }) })] } });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.length === 1);
    await engine.leave();
    expect(statesOf(engine.status('s'))).toEqual(['running']);
    const { startTimestamp } = engine.status('s');
    const next = await started(engine);
    const ended = await next.ended('s');
    // It is the time that templates see.
    expect(ended['startTimestamp']).toBe(startTimestamp);
    expect([ended['state'], next.ran]).toEqual([state, ran]);
    expect(textAt(ended, 'error', 'message') ?? '').toContain(error);
    expect(phasesOf(ended)[0]).toMatchObject({ attempt: 1 });
  });

  it('inside of a command that has retries lets it run again', async () => {
    const engine = await started();
    const args = { namespace: SPACE, pod: 'p', command: ['true'] };
    await engine.blueprint({ go: { phases: [phase('one', { func: 'KubeExec', args, retries: 1 })] } });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.length === 1);
    await engine.leave();
    const next = await started(engine);
    expect([(await next.ended('s'))['state'], next.ran]).toEqual(['complete', ['one']]);
  });

  it('after the work of a phase only cleans up behind it, well or badly', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')] }, bad: { phases: [phase('two')] } });
    const executed = (outcome: { output: JsonObject } | { reason: string }) => ({
      run: async (...[context, signal]: Parameters<NonNullable<ScriptedPhase['run']>>) => {
        await context.executed(outcome);
        return await forEver(context, signal);
      },
    });
    engine.phases['one'] = executed({ output: { path: '/x' } });
    engine.phases['two'] = executed({ reason: 'exit code 3' });
    await engine.create('s', ['go', 'bad']);
    await engine.until(() =>
      objectsAt(engine.status('s'), 'actions').every(
        (action) => valueAt(objectsAt(action, 'phases')[0], 'executed') === true,
      ),
    );
    await engine.leave();
    const next = await started(engine);
    const cleaned: string[] = [];
    for (const name of ['one', 'two']) next.phases[name] = { cleanUp: () => Promise.resolve(void cleaned.push(name)) };
    const ended = await next.ended('s');
    expect([next.ran, cleaned.toSorted()]).toEqual([[], ['one', 'two']]);
    expect([statesOf(ended, 0), statesOf(ended, 1)]).toEqual([['complete'], ['failed']]);
    expect(phasesOf(ended)[0]).toMatchObject({ output: { path: '/x' } });
    expect(textAt(ended, 'error', 'message')).toBe('exit code 3');
  });
});

describe('a set that nobody works on', () => {
  const labelsOf = (uid: string) => ({ ...CREATED_BY_KANISTER, [OWNER_UID_LABEL]: uid });
  const secret = { type: SECRET, namespace: 'elsewhere', name: 'headway-data-x' };

  async function left(blueprint: JsonObject): Promise<ScriptedEngine> {
    const engine = await started();
    await engine.blueprint({ go: blueprint });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.length === 1);
    await engine.leave();
    const { uid = '' } = engine.kube.peek({ type: ActionSet, namespace: SPACE, name: 's' })?.metadata ?? {};
    await engine.kube.create(secret, objectOf(SECRET, secret.name, { metadata: { labels: labelsOf(uid) } }));
    return engine;
  }

  it('and is deleted has its deferPhase run once, and leaves no Secret', async () => {
    const engine = await left({ phases: [phase('one'), phase('two')], deferPhase: phase('defer') });
    await engine.kube.delete({ type: ActionSet, namespace: SPACE, name: 's' });
    const next = await started(engine);
    await next.until(() => engine.kube.peek({ type: ActionSet, namespace: SPACE, name: 's' }) === undefined);
    expect(next.ran).toEqual(['defer']);
    expect(engine.kube.peek(secret)).toBeUndefined();
  });

  it('leaves nothing when its phase cannot be begun again', async () => {
    const engine = await left({ phases: [phase('one')] });
    // What it is called by is gone: nothing of the phase can be rendered.
    await engine.kube.patch(
      { type: Blueprint, namespace: SPACE, name: 'b' },
      {
        kind: 'merge',
        body: { actions: { go: { phases: [phase('one', { args: { image: '{{ .No }}', command: ['x'] } })] } } },
      },
    );
    const next = await started(engine);
    expect(await next.ended('s')).toMatchObject({ state: 'failed' });
    expect(engine.kube.peek(secret)).toBeUndefined();
  });

  it('and was given up says of no phase that it runs', async () => {
    const engine = await left({ phases: [phase('one'), phase('two')], deferPhase: phase('defer') });
    await engine.change('s', { status: { attempt: 50 } });
    const next = await started(engine);
    const ended = await next.ended('s');
    expect([ended['state'], statesOf(ended), next.ran]).toEqual(['failed', ['failed', 'pending'], []]);
    expect(ended['progress']).toMatchObject({ runningPhase: '' });
    await next.until(() => engine.kube.peek(secret) === undefined, 60_000);
  });
});

describe('KubeOps that deletes', () => {
  const target = { type: CONFIG_MAP, namespace: SPACE, name: 'doomed' };
  const objectReference = { apiVersion: 'v1', resource: 'configmaps', name: 'doomed', namespace: SPACE };

  it('deletes what was there, and not what somebody made of the same name, also after a restart', async () => {
    const engine = await started();
    const args = { operation: 'delete', objectReference };
    await engine.blueprint({ go: { phases: [phase('one', { func: 'KubeOps', args })] } });
    const make = () =>
      engine.kube.create(target, objectOf(CONFIG_MAP, 'doomed', { metadata: { finalizers: ['a/b'] } }));
    await make();
    const { uid } = engine.kube.peek(target)!.metadata;
    await engine.create('s', ['go']);
    await engine.until(() => engine.kube.peek(target)?.metadata.deletionTimestamp !== undefined);
    expect(phasesOf(engine.status('s'))[0]).toMatchObject({ state: 'running', output: { uid } });
    await engine.leave();
    await engine.kube.patch(target, { kind: 'merge', body: { metadata: { finalizers: [] } } });
    await make();
    const next = await started(engine);
    const ended = await next.ended('s');
    expect(ended).toMatchObject({ state: 'complete' });
    expect(phasesOf(ended)[0]).not.toHaveProperty('output.uid');
    expect(engine.kube.peek(target)?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('KubeOps that creates what is there already', () => {
  const spec = `{apiVersion: v1, kind: ConfigMap, metadata: {name: made, namespace: ${SPACE}}}`;
  const output = {
    ...{ apiVersion: 'v1', group: '', resource: 'configmaps' },
    name: 'made',
    namespace: SPACE,
    kind: '',
  };
  const running = {
    metadata: { finalizers: [FINALIZER] },
    status: {
      state: 'running',
      startTimestamp: '2026-01-01T00:00:00Z',
      actions: [
        {
          ...{ name: 'go', blueprint: 'b', object: { kind: 'Namespace', name: SPACE, namespace: SPACE } },
          phases: [{ name: 'one', state: 'running', attempt: 1, output }],
        },
      ],
    },
  };

  it.each([
    ['an earlier process made it', 'after', 'complete'],
    ['it was there before the set', 'before', 'failed'],
    ['nobody of us was about to', 'byOthers', 'failed'],
  ])('where %s is %s', async (_, when, state) => {
    const engine = await started();
    const make = () => engine.kube.create({ type: CONFIG_MAP, namespace: SPACE }, objectOf(CONFIG_MAP, 'made'));
    await engine.blueprint({
      go: { phases: [phase('one', { func: 'KubeOps', args: { operation: 'create', spec, namespace: SPACE } })] },
    });
    await engine.leave();
    if (when === 'before') await make();
    await engine.clock.advance(5_000);
    // As an earlier process left it: what it would make is kept, and whether it did is not known.
    await engine.create('s', ['go'], when === 'byOthers' ? {} : running);
    if (when !== 'before') await make();
    const next = await started(engine);
    const ended = await next.ended('s');
    expect([ended['state'], textAt(ended, 'error', 'message') ?? '']).toEqual([
      state,
      state === 'failed' ? expect.stringContaining('already exists') : '',
    ]);
  });
});
