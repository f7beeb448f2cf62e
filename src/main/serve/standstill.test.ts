import { expect, it } from 'vitest';
import { Standstill } from './standstill.ts';

it('counts the time without a beat', () => {
  const standstill = new Standstill(1000);
  expect([0, 1000, 2000, 3000].map((now) => standstill.ask(now, 7))).toEqual([0, 1000, 2000, 3000]);
  expect(standstill.ask(4000, 8)).toBe(0);
  expect(standstill.ask(5100, 8)).toBe(1100);
});

it('counts nothing while it could not ask itself', () => {
  const standstill = new Standstill(1000);
  standstill.ask(0, 7);
  expect(standstill.ask(1000, 7)).toBe(1000);
  expect(standstill.ask(60_000, 7)).toBe(0);
  expect(standstill.ask(61_000, 7)).toBe(1000);
});
