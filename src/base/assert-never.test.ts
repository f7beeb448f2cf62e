import { expect, it } from 'vitest';
import { assertNever } from './assert-never.ts';

it('names the value that nobody expected', () => {
  expect(() => assertNever('Paused' as never, 'phase')).toThrow(/unexpected phase: "Paused"/);
});
