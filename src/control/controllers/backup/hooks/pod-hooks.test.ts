import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { AppError, NO_LOG, type JsonObject } from '../../../../base/index.ts';
import type { KubeClient, KubeObject } from '../../../../edge/kube/index.ts';
import { Findings, NO_WAIT } from '../../../operation/index.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { HookRecord } from './hook-record.ts';
import { PodHooks, type PodHooksDeps } from './pod-hooks.ts';

const POD = { metadata: { namespace: 'shop', name: 'db' }, spec: { containers: [{ name: 'main' }] } };
const NAME = { namespace: 'shop', name: 'db' };
const BACKUP: KubeObject = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b' } };
const exec = (command: string) => [{ exec: { command: [command] } }];

function setUp(more: Partial<PodHooksDeps> & { backup?: KubeObject } = {}) {
  const told: string[] = [];
  const stored: (JsonObject[] | null)[] = [];
  const lasting = new AbortController();
  const clock = new FakeClock();
  const findings = new Findings(NO_LOG, FINDING_TEXTS);
  const hooks = new PodHooks({
    kube: { exec: () => Promise.resolve({ exitCode: 0 }) } as unknown as KubeClient,
    clock,
    hooks: { resources: [{ name: 'freeze', pre: exec('freeze'), post: exec('thaw') }] },
    record: new HookRecord(more.backup ?? BACKUP, (openHooks) => {
      stored.push(openHooks);
      return Promise.resolve();
    }),
    api: () => ({ call: (request) => request(), isExhausted: false }),
    findings,
    onCurrent: () => undefined,
    onWaiting: ({ message }) => {
      told.push(message);
      return { ...NO_WAIT, end: () => told.push('ended') };
    },
    lasting: lasting.signal,
    ...more,
  });
  return { hooks, told, stored, findings, clock, lasting };
}
/** A client that records every command and answers as told. */
function commands(behave: (command: string) => Promise<{ exitCode: number }>) {
  const ran: string[] = [];
  const kube = {
    exec: async (_pod: unknown, { command, signal }: { command: string[]; signal: AbortSignal }) => {
      ran.push(command.join(' '));
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => {
        reject(signal.reason);
      });
      return await Promise.race([behave(command.join(' ')), promise]);
    },
  } as unknown as KubeClient;
  return { ran, kube };
}
const never = new AbortController().signal;
const open = (...names: string[]): KubeObject => ({
  ...BACKUP,
  status: { openHooks: names.map((name) => ({ namespace: 'shop', name })) },
});

describe('the hooks of a pod', () => {
  it('are named as what is waited for as long as they run', async () => {
    const running = Promise.withResolvers<{ exitCode: number }>();
    const { hooks, told } = setUp({ kube: { exec: () => running.promise } as unknown as KubeClient });
    const done = hooks.around(POD, NAME, () => 'archived', never);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['hook freeze in container main of pod shop/db still runs']);
    running.resolve({ exitCode: 0 });
    expect(await done).toBe('archived');
    expect(told.filter((text) => text === 'ended')).toHaveLength(2);
  });

  it('are recorded before the first runs, and no longer after the last', async () => {
    const order: string[] = [];
    const { kube } = commands((command) => {
      order.push(command);
      return Promise.resolve({ exitCode: 0 });
    });
    const record = new HookRecord(BACKUP, (openHooks) => {
      order.push(openHooks === null ? 'none open' : 'open');
      return Promise.resolve();
    });
    const { hooks } = setUp({ kube, record });
    await hooks.around(POD, NAME, () => order.push('work'), never);
    expect(order).toEqual(['open', 'freeze', 'work', 'thaw', 'none open']);
  });

  it('do not run when they could not be recorded', async () => {
    const { ran, kube } = commands(() => Promise.resolve({ exitCode: 0 }));
    const stored: unknown[] = [];
    const record = new HookRecord(BACKUP, (openHooks) => {
      stored.push(openHooks);
      return openHooks === null ? Promise.resolve() : Promise.reject(new AppError('canceled', 'canceled'));
    });
    const { hooks } = setUp({ kube, record });
    await expect(hooks.around(POD, NAME, () => 1, never)).rejects.toThrow('canceled');
    expect(ran).toEqual([]);
    // The write may have succeeded before it was given up.
    expect(stored).toEqual([[NAME], null]);
    expect(hooks.open).toEqual([]);
  });

  it('thaw the pod when the work between them fails', async () => {
    const { ran, kube } = commands(() => Promise.resolve({ exitCode: 0 }));
    const { hooks } = setUp({ kube });
    const failing = (): never => {
      throw new Error('disk full');
    };
    await expect(hooks.around(POD, NAME, failing, never)).rejects.toThrow('disk full');
    expect(ran).toEqual(['freeze', 'thaw']);
    expect(hooks.open).toEqual([]);
  });

  it('let a pre hook end by itself for a while after a stop, and thaw only then', async () => {
    const freezing = Promise.withResolvers<{ exitCode: number }>();
    const { ran, kube } = commands((command) =>
      command === 'freeze' ? freezing.promise : Promise.resolve({ exitCode: 0 }),
    );
    const { hooks, clock } = setUp({ kube });
    const stop = new AbortController();
    const done = expect(hooks.around(POD, NAME, () => 1, stop.signal)).rejects.toThrow('canceled');
    await clock.advance(0);
    stop.abort(new AppError('canceled', 'canceled'));
    await clock.advance(4000);
    expect(ran).toEqual(['freeze']);
    freezing.resolve({ exitCode: 0 });
    await done;
    expect(ran).toEqual(['freeze', 'thaw']);
  });

  it('cut a pre hook off that does not end, and thaw', async () => {
    const { ran, kube } = commands((command) =>
      command === 'freeze' ? new Promise(() => undefined) : Promise.resolve({ exitCode: 0 }),
    );
    const { hooks, clock, findings } = setUp({ kube });
    const stop = new AbortController();
    const done = expect(hooks.around(POD, NAME, () => 1, stop.signal)).rejects.toThrow('canceled');
    await clock.advance(0);
    stop.abort(new AppError('canceled', 'canceled'));
    await clock.advance(6000);
    await done;
    expect(ran).toEqual(['freeze', 'thaw']);
    expect(findings.lines().join()).toContain('may still run in its container');
  });

  it('leave the thawing to the next leader when this process no longer leads', async () => {
    const { ran, kube } = commands(() => Promise.resolve({ exitCode: 0 }));
    const { hooks, lasting } = setUp({ kube });
    const deposed = (): number => {
      lasting.abort(new AppError('canceled', 'deposed'));
      return 1;
    };
    await hooks.around(POD, NAME, deposed, never);
    expect(ran).toEqual(['freeze']);
    expect(hooks.open).toEqual([NAME]);
  });

  it.each([
    ['cannot be reached', new AppError('unreachable', 'no route to the node'), [NAME]],
    ['does not answer', new AppError('timeout', 'no answer', { details: { maybeDone: false } }), [NAME]],
    ['is gone', new AppError('notFound', 'no such pod'), []],
    ['takes too long', new AppError('timeout', 'it took longer than 30 s'), []],
  ])('stay open or not when the pod %s for its post hook', async (_, error, left) => {
    const { kube } = commands((command) =>
      command === 'thaw' ? Promise.reject(error) : Promise.resolve({ exitCode: 0 }),
    );
    const { hooks, findings } = setUp({ kube });
    await hooks.around(POD, NAME, () => 1, never);
    expect(hooks.open).toEqual(left);
    expect(findings.errors).toBe(1);
  });

  it.each([
    ['is not allowed', new AppError('forbidden', 'exec is not allowed'), ['freeze']],
    ['has no pod any more', new AppError('notFound', 'no such pod'), ['freeze']],
    ['was refused', new AppError('serverError', 'no node', { details: { maybeDone: false } }), ['freeze']],
    ['may have begun', new AppError('unreachable', 'cut off', { details: { maybeDone: true } }), ['freeze', 'thaw']],
  ])('end with a pre hook that must not fail and %s', async (_, error, all) => {
    const { ran, kube } = commands((command) =>
      command === 'freeze' ? Promise.reject(error) : Promise.resolve({ exitCode: 0 }),
    );
    const pre = [{ exec: { command: ['freeze'], onError: 'Fail' as const } }];
    const { hooks } = setUp({ kube, hooks: { resources: [{ name: 'freeze', pre, post: exec('thaw') }] } });
    expect(await hooks.around(POD, NAME, () => 1, never)).toBeUndefined();
    expect(ran).toEqual(all);
    expect(hooks.status).toEqual({ hooksAttempted: all.length, hooksFailed: 1 });
    expect(hooks.open).toEqual([]);
  });
});

describe('pods that were left between their hooks', () => {
  it('are all tried, also when one cannot be forgotten', async () => {
    const asked: string[] = [];
    const kube = {
      get: ({ name }: { name: string }) => {
        asked.push(name);
        return Promise.reject(new AppError('notFound', 'no such pod'));
      },
    } as unknown as KubeClient;
    const away = new AppError('unreachable', 'connection refused');
    const record = new HookRecord(open('gone', 'next'), () => Promise.reject(away));
    const { hooks, findings } = setUp({ kube, hooks: {}, record });
    await hooks.closeAll();
    expect(asked).toEqual(['gone', 'next']);
    expect(findings.errors).toBe(2);
  });

  it('are recorded once, also when their hooks run again', async () => {
    const { kube } = commands((command) =>
      command === 'thaw' ? Promise.reject(new AppError('unreachable', 'no route')) : Promise.resolve({ exitCode: 0 }),
    );
    const { hooks } = setUp({ kube, backup: open('db', 'other') });
    await hooks.around(POD, NAME, () => 1, never);
    expect(hooks.open.map(({ name }) => name)).toEqual(['other', 'db']);
  });

  it('are forgotten when they were made anew without hooks', async () => {
    const kube = { get: () => Promise.resolve({ metadata: { name: 'db' }, spec: {} }) } as unknown as KubeClient;
    const { hooks, stored } = setUp({ kube, hooks: {}, backup: open('db') });
    await hooks.closeAll();
    expect(stored).toEqual([null]);
  });
});
