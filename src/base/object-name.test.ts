import { describe, expect, it } from 'vitest';
import { isNamespaceName, isObjectName, namespaceNameProblem } from './object-name.ts';

describe('names of objects', () => {
  it.each(['a', 'shop', 'shop-1.2', '0', 'a'.repeat(253)])('can be %s', (name) => {
    expect(isObjectName(name)).toBe(true);
  });
  it.each(['', '.', '..', '../x', 'velero/b1', 'My', 'my daily', '-a', 'a-', 'a_b', 'a..b', 'a.-b', 'a'.repeat(254)])(
    'cannot be %j',
    (name) => {
      expect(isObjectName(name)).toBe(false);
    },
  );
});

describe('names of namespaces', () => {
  it.each<[string, boolean]>([
    ['shop-new', true],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['shop.new', false],
    ['Shop New', false],
    ['Shop_New', false],
    ['', false],
  ])('%j: %s', (name, expected) => {
    expect(isNamespaceName(name)).toBe(expected);
    expect(namespaceNameProblem(name) === undefined).toBe(expected);
  });

  it('are refused in words', () => {
    expect(namespaceNameProblem('Shop_New')).toBe(
      '"Shop_New" cannot be the name of a namespace: expected at most 63 of a-z, 0-9 and -',
    );
  });
});
