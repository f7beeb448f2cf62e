import { expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import { AppError } from '../../../base/index.ts';
import { NewTypes } from './new-types.ts';
import type { ServedTypes } from './served-types.ts';
import type { Session } from './session.ts';

function setUp(refresh: () => Promise<void>) {
  const stop = new AbortController();
  const log = recordingLog();
  const clock = new FakeClock();
  const session = {
    deps: { clock },
    signal: stop.signal,
    log,
    api: { call: (request: () => unknown) => request() },
  } as unknown as Session;
  const types = new NewTypes(session, { serves: () => false, refresh } as unknown as ServedTypes);
  types.add('things.example.com');
  return { types, log, stop };
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
