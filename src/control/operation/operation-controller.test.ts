import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedClient } from '../../../test/operation/client.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { Restore } from '../../api/index.ts';
import { AppError, objectsAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import { NO_METRICS, Reflector, type EventInput } from '../runtime/index.ts';
import { OperationLogs } from './log/operation-logs.ts';
import { OperationController } from './operation-controller.ts';
import type { Ending, OperationKind, Pending, Work } from './operation-kind.ts';

const target = (name: string) => ({ type: Restore, namespace: 'velero', name });
const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A kind whose work is one promise. */
function setUp(more: Partial<OperationKind> = {}, perform: Work['perform'] = () => new Promise(() => undefined)) {
  const clock = new FakeClock();
  const kube = new ScriptedClient(clock);
  const log = recordingLog();
  const events: EventInput[] = [];
  const directory = mkdtempSync(join(tmpdir(), 'headway-kind-'));
  directories.push(directory);
  const stop = new AbortController();
  const runtime = { clock, log, random: () => 0 };
  const life = { isLeading: true, brokenOff: 0 };
  const work: Work = {
    statusOf: () => ({}),
    perform,
    breakOff: () => {
      life.brokenOff += 1;
      return Promise.resolve(undefined);
    },
    summary: () => 'nothing to count',
  };
  const kind: OperationKind = {
    ...{ type: Restore, noun: 'restore', capacity: 4, afterCancel: 'nothing is kept' },
    waiting: { type: 'Waiting', reason: 'Others' },
    metrics: {
      ...{ begun: 'b', refused: 'r', ended: { completed: 'c', partiallyFailed: 'p', failed: 'f', canceled: 'x' } },
      labelsOf: () => ({}),
    },
    standingOf: (object) => {
      const phase = textAt(object, 'status', 'phase') ?? 'New';
      return phase === 'New' ? 'new' : phase === 'InProgress' ? 'begun' : 'ended';
    },
    admit: () => Promise.resolve({ change: {}, problems: [] }),
    refused: (_, validationErrors) => ({ phase: 'FailedValidation', validationErrors }),
    turnOf: () => Promise.resolve('begin'),
    begun: () => ({ phase: 'InProgress' }),
    ended: ({ state, reason = '' }) => ({
      phase: state === 'completed' ? 'Completed' : 'Failed',
      failureReason: reason,
    }),
    reportOf: () => undefined,
    open: () => work,
    logFields: () => ({}),
    ...more,
  };
  const deps = {
    ...{ ...runtime, kube, events: { record: (event: EventInput) => events.push(event) } },
    metrics: { ...NO_METRICS, add: () => undefined, set: () => undefined, observe: () => undefined },
    logs: new OperationLogs(directory, runtime),
    term: () => stop.signal,
    mayWrite: () => life.isLeading,
  };
  const reflector = new Reflector({ target: { type: Restore, namespace: 'velero' } }, { ...runtime, kube });
  const { parts } = new OperationController(kind, deps, reflector.cache);
  for (const part of [reflector, ...parts]) void part.run(stop.signal);
  const create = async (name: string, object: JsonObject = {}): Promise<void> => {
    await kube.create(target(name), {
      ...{ apiVersion: 'velero.io/v1', kind: 'Restore', metadata: { name, namespace: 'velero' } },
      ...object,
    });
  };
  /** Files are real, so the fake time must not run ahead of them. */
  const pass = async (ms: number, step = 100): Promise<void> => {
    for (let passed = 0; passed < ms; passed += step) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await clock.advance(Math.min(step, ms - passed));
    }
  };
  const statusOf = (name: string): JsonObject => (kube.peek(target(name))?.['status'] ?? {}) as JsonObject;
  return { clock, kube, log, events, stop, create, pass, statusOf, life, logFiles: () => readdirSync(directory) };
}

describe('every object that can be created', () => {
  it.each(['invalid', 'unsupported', 'tooLarge'] as const)('is refused with the problem named (%s)', async (code) => {
    const { create, pass, statusOf, events } = setUp({
      admit: () => Promise.reject(new AppError(code, 'name a/b: expected no slash')),
    });
    await create('mistyped');
    await pass(500);
    expect(statusOf('mistyped')).toMatchObject({
      phase: 'FailedValidation',
      validationErrors: ['name a/b: expected no slash'],
    });
    expect(events).toMatchObject([{ reason: 'RestoreRefused', type: 'Warning' }]);
  });

  it('is left alone for as long as its kind says, and then answered', async () => {
    let lookAgainMs: number | undefined = 10_000;
    let asked = 0;
    const { create, pass, statusOf, events } = setUp({
      admit: () => {
        asked += 1;
        return Promise.resolve({ change: {}, problems: ['nobody knows it'], lookAgainMs });
      },
    });
    await create('stranger');
    await pass(9_000);
    expect([asked, statusOf('stranger'), events]).toEqual([1, {}, []]);
    lookAgainMs = undefined;
    await pass(2_000);
    expect(statusOf('stranger')).toMatchObject({ phase: 'FailedValidation', validationErrors: ['nobody knows it'] });
  });

  it('is refused also when what was filled in cannot be written', async () => {
    const { kube, create, pass, statusOf } = setUp({
      admit: () => Promise.resolve({ change: { spec: { ttl: '??' } }, problems: ['ttl: expected a duration'] }),
    });
    kube.before = ({ verb, body }) => {
      if (verb === 'patch' && valueAt(body as JsonObject, 'spec') !== undefined) {
        throw new AppError('invalid', 'spec.ttl: Invalid value');
      }
    };
    await create('mistyped');
    await pass(500);
    expect(statusOf('mistyped')).toMatchObject({ phase: 'FailedValidation' });
  });

  it('waits while the server turns us away, and is asked about less and less often', async () => {
    let asked = 0;
    const { create, pass, statusOf, log } = setUp({
      admit: () => {
        asked += 1;
        return Promise.reject(new AppError('forbidden', 'get backups: forbidden'));
      },
    });
    await create('forbidden');
    await pass(10_000);
    expect(asked).toBeLessThan(10);
    expect(log.lines.length).toBeLessThan(15);
    expect(statusOf('forbidden')['phase']).toBeUndefined();
  });
});

describe('whose turn it is', () => {
  it('knows one that was begun a moment ago, though its object does not show it yet', async () => {
    const seen: Record<string, string[]> = {};
    const bed = setUp({
      turnOf: (object, pending: readonly Pending[]) => {
        seen[object.metadata.name] = pending
          .filter(({ isRunning }) => isRunning)
          .map((one) => one.object.metadata.name);
        return Promise.resolve('begin');
      },
    });
    await bed.pass(100);
    // The cache has not seen the first write when the second object is reconciled.
    let isFirst = true;
    bed.kube.before = ({ verb }) => {
      if (verb !== 'patch' || !isFirst) return;
      isFirst = false;
      bed.kube.muteWatches();
    };
    const second = bed.create('second');
    await bed.create('first');
    await second;
    await bed.pass(1000);
    expect(Object.values(seen).flat()).toHaveLength(1);
  });
});

describe('an operation that could not be worked on', () => {
  it('is tried again, later and later, and given up in the end', async () => {
    let opened = 0;
    const { create, pass, statusOf } = setUp({
      open: () => {
        opened += 1;
        throw new Error('ENOSPC: no space left on device');
      },
    });
    await create('full');
    await pass(4_000);
    expect(opened).toBe(1);
    await pass(26 * 60_000, 2_000);
    expect(opened).toBe(10);
    expect(statusOf('full')).toMatchObject({ phase: 'Failed' });
    expect(statusOf('full')['failureReason']).toContain('ENOSPC');
  });
});

describe('an operation that was begun by processes that are gone', () => {
  it('is set aside when it ended three of them, and the next one goes on', async () => {
    const recovery = { open: true, lost: 2, stage: 'restoring', done: 7 };
    const told = {
      progress: { stage: 'restoring' },
      waits: [{ cause: 'the store is away', since: '2026-01-01T00:00:00Z' }],
      conditions: [{ type: 'Stalled', status: 'True', reason: 'Waiting', message: 'the store is away' }],
    };
    const { create, pass, statusOf, events } = setUp({}, () => Promise.resolve({ state: 'completed' }));
    await create('poison', { status: { phase: 'InProgress', attempt: 3, recovery, ...told } });
    await create('other');
    // Its log is a real file, which takes real time.
    for (let turn = 0; turn < 20 && statusOf('other')['phase'] !== 'Completed'; turn += 1) await pass(2_000);
    expect(statusOf('poison')).toMatchObject({ phase: 'Failed', conditions: [] });
    expect(statusOf('poison')['waits']).toBeUndefined();
    expect(statusOf('poison')['failureReason']).toContain('3 times during this restore without getting further');
    expect(statusOf('other')).toMatchObject({ phase: 'Completed' });
    expect(events.map(({ reason }) => reason)).toContain('RestoreFailed');
  });
});

describe('what an ended operation left behind', () => {
  it('is tried again until it is gone', async () => {
    let tries = 0;
    let isLeft = true;
    const { create, pass, log } = setUp({
      leftovers: {
        has: () => isLeft,
        clear: () => {
          tries += 1;
          if (tries < 3) return Promise.reject(new AppError('unreachable', 'no route to the node'));
          isLeft = false;
          return Promise.resolve();
        },
      },
    });
    await create('ended', { status: { phase: 'Completed' } });
    await pass(1_000);
    expect(tries).toBe(1);
    await pass(5 * 60_000, 1_000);
    expect(tries).toBe(3);
    expect(log.lines.filter(({ message }) => message === 'restore left something behind')).toHaveLength(2);
  });

  it('is tried again once a minute also when the object is being deleted', async () => {
    let tries = 0;
    const clear = (): Promise<void> => {
      tries += 1;
      // A retry without a pause would never let the clock advance.
      if (tries > 100) return new Promise(() => undefined);
      return Promise.reject(new AppError('unreachable', 'the store is away'));
    };
    const { create, kube, pass } = setUp({ leftovers: { has: () => true, clear } });
    const metadata = { name: 'deleted', namespace: 'velero', finalizers: ['velero.io/files'] };
    await create('deleted', { metadata, status: { phase: 'Completed' } });
    await kube.delete(target('deleted'));
    await pass(150_000, 500);
    expect(tries).toBeGreaterThanOrEqual(2);
    expect(tries).toBeLessThanOrEqual(4);
  });
});

it('cancels one that has not begun, and says so', async () => {
  const { create, pass, statusOf } = setUp({ turnOf: () => Promise.resolve({ reason: 'others are ahead' }) });
  await create('waiting', { metadata: { name: 'waiting', namespace: 'velero' } });
  await pass(500);
  expect(objectsAt(statusOf('waiting'), 'conditions')).toMatchObject([
    { type: 'Waiting', message: 'others are ahead' },
  ]);
  const annotations = { 'headway.io/cancel': 'true' };
  await create('canceled', { metadata: { name: 'canceled', namespace: 'velero', annotations } });
  await pass(500);
  expect(statusOf('canceled')).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
  expect(objectsAt(statusOf('canceled'), 'conditions')).toMatchObject([{ type: 'Canceled', status: 'True' }]);
});

it('breaks nothing off when it fails because another process leads: that one goes on with it', async () => {
  const failed = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<undefined>();
  const { create, pass, statusOf, life } = setUp({}, () => {
    begun.resolve(undefined);
    return failed.promise;
  });
  await create('deposed');
  await pass(500);
  await begun.promise;
  life.isLeading = false;
  failed.reject(new AppError('canceled', 'record in the status of deposed: this process no longer leads'));
  await pass(500);
  expect([life.brokenOff, statusOf('deposed')['phase']]).toEqual([0, 'InProgress']);
});

it.each(['stops', 'has ended it'] as const)('keeps its log for the next one only when the process %s', async (how) => {
  const ending = Promise.withResolvers<Ending>();
  const begun = Promise.withResolvers<undefined>();
  const perform: Work['perform'] = (signal) => {
    begun.resolve(undefined);
    signal.addEventListener('abort', () => {
      ending.reject(signal.reason);
    });
    return ending.promise;
  };
  const { create, pass, stop, logFiles } = setUp({}, perform);
  await create('one');
  await pass(500);
  await begun.promise;
  if (how === 'stops') stop.abort(new AppError('canceled', 'the process stops'));
  else ending.resolve({ state: 'completed' });
  await pass(2_000);
  expect(logFiles()).toHaveLength(how === 'stops' ? 1 : 0);
});
