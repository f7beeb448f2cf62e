import { expect, it } from 'vitest';
import type { Context } from '../context.ts';
import type { Call } from './route.ts';
import { systemRoutes } from './system-routes.ts';

function cluster(isReady: boolean, problem?: string) {
  return { isReady: () => isReady, problem: () => problem };
}

it.each([
  ['all are watched', [cluster(true), cluster(true)], undefined],
  ['one is not watched yet', [cluster(true), cluster(false)], 503],
  ['one cannot be served, and the other one is', [cluster(true), cluster(false, 'it has other CRDs')], undefined],
])('is ready or not when of two clusters %s', async (_, clusters, status) => {
  const route = systemRoutes({ clusters } as unknown as Context, []).find(({ path }) => path === '/readyz');
  expect((await route?.handle({} as Call<never>))?.status).toBe(status);
});
