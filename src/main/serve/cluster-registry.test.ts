import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { AppError } from '../../base/index.ts';
import { ClusterRegistry, type NamedPlane } from './cluster-registry.ts';

const depsWith = (log = recordingLog()) => ({ log, clock: new FakeClock(), random: () => 0 });
const healthy = (name: string): NamedPlane => ({
  name,
  plane: {
    ready: Promise.resolve(),
    decided: Promise.resolve(undefined),
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve();
        });
      }),
  },
});
const broken = (name: string): NamedPlane => ({
  name,
  plane: {
    ready: new Promise(() => undefined),
    decided: new Promise(() => undefined),
    run: () => Promise.reject(new AppError('invalidConfig', `${name} has other CRDs`)),
  },
});

describe('several clusters', () => {
  it('are served also when one of them cannot be, and it is said why', async () => {
    const log = recordingLog();
    const registry = new ClusterRegistry([healthy('a'), broken('b')], depsWith(log));
    const stop = new AbortController();
    let isOver = false;
    const running = registry.run(stop.signal).then(() => {
      isOver = true;
    });
    await registry.ready;
    expect([registry.problemOf('a'), registry.problemOf('b'), isOver]).toEqual([undefined, 'b has other CRDs', false]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { cluster: 'b', err: 'b has other CRDs' } }]);
    stop.abort();
    await running;
  });

  it('are served later when one of them does not answer at first', async () => {
    const deps = depsWith();
    const ready = Promise.withResolvers<undefined>();
    let runs = 0;
    const late: NamedPlane = {
      name: 'b',
      plane: {
        ready: ready.promise.then(() => undefined),
        decided: new Promise(() => undefined),
        run: async (signal) => {
          runs += 1;
          if (runs < 3) throw new AppError('unreachable', 'connection refused');
          ready.resolve(undefined);
          await healthy('b').plane.run(signal);
        },
      },
    };
    const registry = new ClusterRegistry([healthy('a'), late], deps);
    const stop = new AbortController();
    const running = registry.run(stop.signal);
    await registry.ready;
    expect(registry.problemOf('b')).toBe('connection refused');
    await deps.clock.advance(10_000);
    expect([runs, registry.problemOf('b')]).toEqual([3, undefined]);
    stop.abort();
    await running;
  });

  it('end the server when none of them can be served', async () => {
    const registry = new ClusterRegistry([broken('a'), broken('b')], depsWith());
    await expect(registry.run(new AbortController().signal)).rejects.toThrow('a has other CRDs');
  });
});

it('ends the server with its only cluster', async () => {
  const log = recordingLog();
  const registry = new ClusterRegistry([broken('a')], depsWith(log));
  await expect(registry.run(new AbortController().signal)).rejects.toThrow('a has other CRDs');
  expect(log.lines).toEqual([]);
});

describe('clusters on which no engine can run', () => {
  const rival = (name: string): NamedPlane => {
    const refused = new AppError('conflict', `Velero runs in ${name}`);
    return { name, plane: { ...healthy(name).plane, decided: Promise.resolve(refused) } };
  };

  it('end the server when there is no other', async () => {
    const registry = new ClusterRegistry([rival('a'), rival('b')], depsWith());
    await expect(registry.run(new AbortController().signal)).rejects.toThrow('Velero runs in a');
    await expect(new ClusterRegistry([rival('a')], depsWith()).run(new AbortController().signal)).rejects.toThrow(
      'Velero runs in a',
    );
  });

  it('are looked at all the same beside one that has an engine, or that is still away', async () => {
    for (const other of [
      healthy('b'),
      { ...healthy('b'), plane: { ...healthy('b').plane, decided: new Promise<never>(() => undefined) } },
    ]) {
      const registry = new ClusterRegistry([rival('a'), other], depsWith());
      const stop = new AbortController();
      let isOver = false;
      const running = registry.run(stop.signal).then(() => {
        isOver = true;
      });
      await registry.ready;
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      expect([isOver, registry.problemOf('a')]).toEqual([false, undefined]);
      stop.abort();
      await running;
    }
  });
});
