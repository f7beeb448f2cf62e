import { expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import type { Rights } from '../auth/rights.ts';
import type { Context } from '../context.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { eventRoutes } from './event-routes.ts';
import type { Call } from './route.ts';

it('opens no stream for a page that has left while its rights were asked for', async () => {
  const rights = Promise.withResolvers<Rights>();
  const context = { rights: { of: () => rights.promise }, hub: { size: 0 }, limits: DEFAULT_LIMITS };
  const [route] = eventRoutes(context as unknown as Context);
  const page = new AbortController();
  const login = { cluster: { name: 'demo', namespace: 'velero' }, key: 'k' };
  const answer = route?.handle({
    query: { limit: 1 },
    params: {},
    caller: { logins: new Map([['demo', login]]), key: 'k' },
    request: { headers: {} },
    signal: page.signal,
  } as unknown as Call<never>);
  page.abort(new AppError('canceled', 'the client has left'));
  rights.resolve({
    user: { name: 'anna', groups: [] },
    maySee: () => true,
    seesOperations: true,
    fingerprint: 'f',
  } as unknown as Rights);
  await expect(answer).rejects.toMatchObject({ code: 'canceled' });
});
