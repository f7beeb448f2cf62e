import { describe, expect, it } from 'vitest';
import type { LabelSelector } from '../../api/index.ts';
import { matchesSelector } from './label-selector.ts';

describe('a requirement on a label', () => {
  type Operator = NonNullable<LabelSelector['matchExpressions']>[number]['operator'];
  it.each<[Operator, string[], { is: boolean; other: boolean; absent: boolean }]>([
    ['In', ['db'], { is: true, other: false, absent: false }],
    ['NotIn', ['db'], { is: false, other: true, absent: true }],
    ['Exists', [], { is: true, other: true, absent: false }],
    ['DoesNotExist', [], { is: false, other: false, absent: true }],
  ])('%s %j', (operator, values, expected) => {
    const selector = { matchExpressions: [{ key: 'tier', operator, values }] };
    expect({
      is: matchesSelector(selector, { tier: 'db' }),
      other: matchesSelector(selector, { tier: 'web' }),
      absent: matchesSelector(selector, { app: 'db' }),
    }).toEqual(expected);
  });
});
