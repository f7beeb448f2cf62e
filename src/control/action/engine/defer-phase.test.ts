import { afterEach, describe, expect, it } from 'vitest';
import {
  deferOf,
  endEngines,
  forEver,
  phase,
  SPACE,
  started,
  statesOf,
} from '../../../../test/action/scripted-engine.ts';
import { objectOf } from '../../../../test/kube-kinds.ts';
import { ActionSet, SECRET } from '../../../api/index.ts';
import { AppError, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import { FINALIZER } from './finalizer.ts';

afterEach(endEngines);

/** The command of each run of a phase, which does nothing else. */
function commandsOf(engine: Awaited<ReturnType<typeof started>>, name: string): (readonly string[])[] {
  const commands: (readonly string[])[] = [];
  engine.phases[name] = {
    run: ({ args }) => {
      commands.push(args.texts('command'));
      return Promise.resolve({});
    },
  };
  return commands;
}

describe('a deferPhase', () => {
  it('that advances is not stalled, though no number of the set tells it; one that stands still is', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')], deferPhase: phase('defer') } });
    let percent = 0;
    engine.phases['defer'] = { run: forEver, stats: () => ({ percent }) };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.includes('defer'));
    const conditions = (): (string | undefined)[] =>
      objectsAt(engine.status('s'), 'conditions').map((each) => textAt(each, 'type'));
    for (let minute = 0; minute < 4; minute += 1) {
      percent += 1000;
      await engine.pass(60_000, 1000);
      expect(conditions()).toEqual([]);
    }
    await engine.pass(150_000, 1000);
    expect(conditions()).toEqual(['Stalled']);
  });

  it('runs after a failure and after a cancel, and the set has failed only then', async () => {
    const engine = await started();
    await engine.blueprint({
      bad: { phases: [phase('one'), phase('two')], deferPhase: phase('defer') },
    });
    const go = Promise.withResolvers<JsonObject>();
    engine.phases['one'] = { run: () => Promise.reject(new AppError('invalid', 'no such thing')) };
    engine.phases['defer'] = { run: () => go.promise };
    await engine.create('s', ['bad']);
    await engine.until(() => engine.ran.includes('defer'));
    expect(engine.status('s')).toMatchObject({ state: 'running' });
    go.resolve({ cleaned: 'yes' });
    const ended = await engine.ended('s');
    expect([statesOf(ended), deferOf(ended)]).toMatchObject([
      ['failed', 'pending'],
      { state: 'complete', output: { cleaned: 'yes' } },
    ]);
    expect(textAt(ended, 'error', 'message')).toBe('no such thing');

    engine.phases['one'] = { run: forEver };
    await engine.create('c', ['bad']);
    await engine.until(() => statesOf(engine.status('c'))[0] === 'running');
    await engine.change('c', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    const canceled = await engine.ended('c');
    expect(canceled).toMatchObject({ state: 'failed', error: { message: 'canceled' } });
    expect([statesOf(canceled), deferOf(canceled)['state']]).toEqual([['failed', 'pending'], 'complete']);
    expect(engine.ran.filter((name) => name === 'two')).toEqual([]);
  });

  it.each([
    ['before it', ['one', 'defer']],
    ['in it', ['defer']],
  ])('has ten minutes after a cancel %s, and no further attempt', async (_, held) => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')], deferPhase: phase('defer', { retries: 3 }) } });
    for (const name of held) engine.phases[name] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.includes(held[0] ?? ''));
    await engine.change('s', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    await engine.until(() => engine.ran.length === 2);
    await engine.pass(9 * 60_000, 2_000);
    expect(deferOf(engine.status('s'))['state']).toBe('running');
    await engine.pass(2 * 60_000, 2_000);
    expect([deferOf(await engine.ended('s'))['state'], engine.ran]).toEqual(['failed', ['one', 'defer']]);
  });

  it('sees the objects of a phase that failed or was broken off also after a restart', async () => {
    const engine = await started();
    const objects = { s: { kind: 'Secret', name: 'key', namespace: SPACE } };
    const command = ['{{ .Phases.one.Secrets.s.Data.k | toString }}'];
    await engine.blueprint({
      go: { phases: [phase('one', { objects })], deferPhase: phase('defer', { args: { image: 'i', command } }) },
    });
    const data = { k: Buffer.from('v').toString('base64') };
    await engine.kube.create({ type: SECRET, namespace: SPACE }, objectOf(SECRET, 'key', { data }));
    engine.phases['one'] = {
      run: ({ actionSet }, signal) => {
        if (actionSet.metadata.name === 'failed') throw new AppError('invalid', 'no');
        return forEver(undefined, signal);
      },
    };
    engine.phases['defer'] = { run: forEver };
    await engine.create('failed', ['go']);
    await engine.until(() => engine.ran.includes('defer'));
    await engine.create('canceled', ['go']);
    await engine.until(() => engine.ran.length === 3);
    await engine.leave();
    await engine.change('canceled', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    const next = await started(engine);
    const seen = commandsOf(next, 'defer');
    for (const name of ['failed', 'canceled']) {
      expect(deferOf(await next.ended(name))).toMatchObject({ state: 'complete' });
    }
    expect(seen).toEqual([['v'], ['v']]);
  });

  it('runs also when the pods of a canceled phase cannot be removed, which is tried again', async () => {
    const engine = await started();
    await engine.blueprint({ go: { phases: [phase('one')], deferPhase: phase('defer') } });
    engine.phases['one'] = { run: forEver };
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.includes('one'));
    let isRefused = true;
    engine.kube.before = ({ verb, target }) => {
      if (isRefused && verb === 'list' && target.type.plural === 'pods') throw new AppError('forbidden', 'no lists');
    };
    await engine.change('s', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    const ended = await engine.ended('s');
    expect([statesOf(ended), deferOf(ended)['state'], engine.ran]).toEqual([['failed'], 'complete', ['one', 'defer']]);
    const finalizers = () => engine.kube.peek({ type: ActionSet, namespace: SPACE, name: 's' })?.metadata.finalizers;
    expect(finalizers()).toContain(FINALIZER);
    isRefused = false;
    await engine.until(() => finalizers()?.includes(FINALIZER) !== true, 120_000);
  });

  it('does not see what a phase kept that failed', async () => {
    const engine = await started();
    const command = ['{{ if .Phases.one.Output }}yes{{ else }}no{{ end }}'];
    await engine.blueprint({
      go: { phases: [phase('one')], deferPhase: phase('defer', { args: { image: 'i', command } }) },
    });
    engine.phases['one'] = {
      run: async ({ keep }) => {
        await keep({ replicas: '3' });
        throw new AppError('invalid', 'no');
      },
    };
    const seen = commandsOf(engine, 'defer');
    await engine.create('s', ['go']);
    await engine.ended('s');
    expect(seen).toEqual([['no']]);
  });

  it('waits a while for a Secret that it needs, and sees the outputs before it', async () => {
    const engine = await started();
    const objects = { s: { kind: 'Secret', name: 'late', namespace: SPACE } };
    const command = ['{{ .Phases.one.Output.path }}', '{{ .DeferPhase.Secrets.s.Data.k | toString }}'];
    await engine.blueprint({
      go: { phases: [phase('one')], deferPhase: phase('defer', { objects, args: { image: 'i', command } }) },
    });
    engine.phases['one'] = { run: () => Promise.resolve({ path: '/x' }) };
    const seen = commandsOf(engine, 'defer');
    await engine.create('s', ['go']);
    await engine.until(() => engine.ran.includes('one'));
    await engine.pass(10_000, 500);
    expect([deferOf(engine.status('s'))['state'], seen]).toEqual(['pending', []]);
    const data = { k: Buffer.from('v').toString('base64') };
    await engine.kube.create({ type: SECRET, namespace: SPACE }, objectOf(SECRET, 'late', { data }));
    expect(await engine.ended('s')).toMatchObject({ state: 'complete' });
    expect(seen).toEqual([['/x', 'v']]);
  });
});
