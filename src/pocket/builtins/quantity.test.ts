import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuantity, QUANTITY_FORMAT_WRONG } from './quantity.ts';

/** Right sides are what apimachinery v0.36.3 writes. */
describe('parseQuantity', () => {
  it.each([
    ['0', '0'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['512Ki', '512Ki'],
    ['1500k', '1500k'],
    ['3e6', '3e6'],
    ['12e-3', '12e-3'],
    ['1e1', '10'],
    ['0.0000000001', '1n'],
    ['-1.5', '-1500m'],
    ['-12Ei', '-9223372036854775807'],
    ['9999999999999999999Ki', '9223372036854775807'],
    ['1.500', '1.500'],
    ['+1Gi', '+1Gi'],
    ['5.', '5.'],
    ['.5', '500m'],
    ['00012', '00012'],
    [' 1 ', '1'],
  ])('%s is %s', (input, text) => {
    expect(parseQuantity(input)).toEqual({ text });
  });

  it.each(['', 'x', '1..2', '1 Gi', '1GiB', `1${'0'.repeat(300)}`])('%s has the wrong form', (input) => {
    expect(parseQuantity(input)).toEqual({ error: QUANTITY_FORMAT_WRONG });
  });

  it.each(['--1', '1kk', '1e', '1i', '1KiKi'])('%s has a bad suffix', (input) => {
    expect(parseQuantity(input)).toEqual({ error: "unable to parse quantity's suffix" });
  });

  it('rounds resources up to thousandths', () => {
    expect(parseQuantity('100u', -3)).toEqual({ text: '1m' });
    expect(parseQuantity('1500u', -3)).toEqual({ text: '2m' });
  });

  it('leaves canonical ones as they are', () => {
    const number = fc.tuple(
      fc.integer({ min: -1e6, max: 1e6 }),
      fc.nat(999),
      fc.constantFrom('', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3'),
    );
    fc.assert(
      fc.property(number, ([whole, fraction, suffix]) => {
        const once = parseQuantity(`${whole}.${fraction}${suffix}`);
        expect(once).toHaveProperty('text');
        if ('text' in once) expect(parseQuantity(once.text)).toEqual(once);
      }),
    );
  });

  it('answers at once, whatever comes', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseQuantity(text) === 'object'));
    expect(parseQuantity('1e2147483647')).toEqual({ text: '10e2147483646' });
    expect(parseQuantity('1e-2147483647')).toEqual({ text: '1e-9' });
  });
});
