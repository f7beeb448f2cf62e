import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cheaperWay, expectedItems, isListCheaper } from './list-way.ts';

const KIB = 1024;
const page = (total: number, each = 4 * KIB, items = Math.min(30, total)) => ({
  items,
  bytes: items * each,
  remaining: total - items,
});

describe('some namespaces of a kind', () => {
  it.each([
    ['that the first page has all of', page(20), 3, 'over'],
    ['with a few more objects than fit on a page', page(200), 150, 'over'],
    ['with many objects, nearly all namespaces wanted', page(9000), 290, 'over'],
    ['with many objects, half of the namespaces wanted', page(9000), 150, 'each'],
    ['with many small objects, half of the namespaces wanted', page(9000, KIB), 150, 'over'],
    ['with many objects, three namespaces wanted', page(9000), 3, 'each'],
  ])('%s', (_, first, wanted, way) => {
    expect(cheaperWay(first, { wanted, existing: 300 })).toBe(way);
  });

  it('cost one list if that is already there, whatever the numbers', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(1e6), fc.integer({ min: 1, max: 1000 }), (items, bytes, wanted) => {
        expect(cheaperWay({ items, bytes, remaining: 0 }, { wanted, existing: 1000 })).toBe('over');
      }),
    );
  });
});

describe('single items of a kind', () => {
  it.each([
    ['nearly all of them', page(150), 120, true],
    ['one of twenty of them', page(2000, KIB), 100, true],
    ['one of a hundred of them, which are long', page(5000, 8 * KIB), 50, false],
  ])('%s', (_, first, wanted, isList) => {
    expect(isListCheaper(first, wanted)).toBe(isList);
  });
});

it('guesses how many there are only where the server does not say', () => {
  expect(expectedItems(page(9000))).toBe(9000);
  expect(expectedItems({ items: 30, bytes: 1, remaining: 0 })).toBe(30);
  expect(expectedItems({ items: 30, bytes: 1, remaining: undefined })).toBe(60);
});
