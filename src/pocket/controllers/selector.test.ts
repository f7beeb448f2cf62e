import { describe, expect, it } from 'vitest';
import { matchesExpression, matchesSelector } from './selector.ts';

describe('matchesSelector', () => {
  it.each([
    ['nothing without a selector', undefined, false],
    ['everything with an empty one', {}, true],
    ['equal labels', { matchLabels: { app: 'web' } }, true],
    ['other labels', { matchLabels: { app: 'db' } }, false],
    ['all labels at once', { matchLabels: { app: 'web', tier: 'back' } }, false],
    [
      'labels and expressions',
      { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
      true,
    ],
  ])('%s', (_name, selector, expected) => {
    expect(matchesSelector(selector, { app: 'web', tier: 'front' })).toBe(expected);
  });

  it('does not find labels on the prototype', () => {
    expect(matchesSelector({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {})).toBe(false);
    expect(matchesSelector({ matchExpressions: [{ key: 'toString', operator: 'DoesNotExist' }] }, {})).toBe(true);
  });
});

describe('matchesExpression', () => {
  it.each([
    ['In', ['a', 'b'], true],
    ['In', ['c'], false],
    ['NotIn', ['c'], true],
    ['NotIn', ['a'], false],
    ['Exists', [], true],
    ['DoesNotExist', [], false],
    ['Gt', ['1'], false],
    ['Nonsense', [], false],
  ])('%s %j on a', (operator, values, expected) => {
    expect(matchesExpression({ key: 'k', operator, values }, { k: 'a' })).toBe(expected);
  });

  it('compares numbers as numbers', () => {
    expect(matchesExpression({ key: 'cpu', operator: 'Gt', values: ['9'] }, { cpu: '10' })).toBe(true);
    expect(matchesExpression({ key: 'cpu', operator: 'Lt', values: ['9'] }, { cpu: '10' })).toBe(false);
  });

  it('lets an absent label pass NotIn alone', () => {
    expect(matchesExpression({ key: 'k', operator: 'NotIn', values: ['a'] }, {})).toBe(true);
    expect(matchesExpression({ key: 'k', operator: 'In', values: ['a'] }, {})).toBe(false);
  });
});
