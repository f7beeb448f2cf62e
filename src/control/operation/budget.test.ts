import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { Budget } from './budget.ts';

it('runs once for all that are inside at the same time, and not between them', async () => {
  const clock = new FakeClock();
  const budget = new Budget(1000, clock);
  budget.enter();
  await clock.advance(200);
  budget.enter();
  await clock.advance(200);
  budget.leave();
  await clock.advance(200);
  budget.leave();
  await clock.advance(5000);
  expect(budget.isSpent).toBe(false);
  budget.enter();
  await clock.advance(399);
  expect(budget.isSpent).toBe(false);
  await clock.advance(1);
  expect(budget.isSpent).toBe(true);
});
