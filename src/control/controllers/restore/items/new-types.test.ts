import { expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { recordingLog } from '../../../../../test/scripted-cluster/recording-log.ts';
import { AppError } from '../../../../base/index.ts';
import { NewTypes } from './new-types.ts';
import type { ServedTypes } from '../source/served-types.ts';
import type { RestoreContext } from '../context.ts';

function setUp(refresh: () => Promise<void>) {
  const stop = new AbortController();
  const log = recordingLog();
  const clock = new FakeClock();
  const context = {
    deps: { clock },
    signal: stop.signal,
    log,
    api: { call: (request: () => unknown) => request() },
  } as unknown as RestoreContext;
  const types = new NewTypes(context, { serves: () => false, refresh } as unknown as ServedTypes);
  types.add('things.example.com');
  return { types, log, stop, clock };
}

it('costs only the items of new types when the server cannot say what it serves', async () => {
  const { types, log } = setUp(() => Promise.reject(new AppError('serverError', 'etcd is unwell')));
  await types.learn('things.example.com');
  expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { fields: { types: ['things.example.com'] } },
  ]);
});

it('ends with the restore', async () => {
  const { types, stop } = setUp(() => {
    stop.abort(new Error('canceled'));
    return Promise.reject(new AppError('serverError', 'etcd is unwell'));
  });
  await expect(types.learn('things.example.com')).rejects.toThrow('canceled');
});

it('waits half a minute by a clock that nobody can set', async () => {
  let asked = 0;
  const { types, clock } = setUp(() => {
    asked += 1;
    return Promise.resolve();
  });
  const learning = types.learn('things.example.com');
  clock.setForward(3600_000);
  await clock.advance(20_000);
  expect(asked).toBe(101);
  await clock.advance(20_000);
  await learning;
  expect(asked).toBe(151);
});
