import { expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import type { ApiResource } from '../../../../edge/kube/index.ts';
import type { RestoreContext } from '../context.ts';
import { waitForCrd } from './waits.ts';

it('names what it waits for while a definition is not served, and no longer', async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const condition = (type: string, status: string, message = '') => ({ type, status, message });
  let conditions = [condition('NamesAccepted', 'False', 'the name is taken')];
  const definition = () => ({ metadata: { name: 'things.example.com' }, status: { conditions } });
  const context = {
    deps: { clock, kube: { get: () => Promise.resolve(definition()) } },
    api: { call: (request: () => unknown) => request() },
    signal: new AbortController().signal,
    settings: { resourceTimeoutMs: 600_000 },
    run: {
      feed: () => undefined,
      wait: (cause: Error) => {
        told.push(cause.message);
        return { tell: () => undefined, end: () => told.push('resumed') };
      },
    },
  } as unknown as RestoreContext;
  const waiting = waitForCrd(context, {} as ApiResource, definition());
  await clock.advance(100);
  expect(told).toEqual([expect.stringMatching(/things\.example\.com is not served.*the name is taken/)]);
  conditions = [condition('NamesAccepted', 'True'), condition('Established', 'True')];
  await clock.advance(1000);
  await waiting;
  expect(told.at(-1)).toBe('resumed');
});
