import { expect, it } from 'vitest';
import { labelValue } from './label-value.ts';

it('leaves a name that fits and gives a longer one a hash', () => {
  const name = 'a'.repeat(63);
  expect(labelValue(name)).toBe(name);
  expect(labelValue('a'.repeat(100))).toBe(`${'a'.repeat(57)}281659`);
});
