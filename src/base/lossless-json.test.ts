import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseJson, stringifyJson } from './lossless-json.ts';

describe('parseJson', () => {
  it('keeps integers beyond 2^53 and leaves the others numbers', () => {
    expect(parseJson('[9223372036854775807,-9007199254740993,9007199254740991,1.5,"1234567890123456789"]')).toEqual([
      9223372036854775807n,
      -9007199254740993n,
      9007199254740991,
      1.5,
      '1234567890123456789',
    ]);
  });

  it('does not take a long fraction for an integer', () => {
    expect(parseJson('{"a":0.12345678901234567,"b":12345678901234567890.5}')).toEqual({
      a: 0.12345678901234567,
      b: 12345678901234567000,
    });
  });

  it.each(['', '{', '{"a":1234567890123456789', 'undefined', '<html>1234567890123456</html>'])(
    'refuses %o as JSON.parse does',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it('refuses numbers of absurd length and nesting that would cost the stack', () => {
    expect(() => parseJson('9'.repeat(1_000_000))).toThrow(/number of 1000000 digits/);
    const deep = `${'['.repeat(50_000)}12345678901234567890${']'.repeat(50_000)}`;
    expect(() => parseJson(deep)).toThrow(/nested too deeply/);
  });

  it.each(['1e400', '[-1E+999]', '{"a":-1.5e0400 }', '[1,\n2e999]', `${'9'.repeat(400)}.5`])(
    'refuses %s, which it could not write again',
    (text) => {
      expect(() => parseJson(text)).toThrow(/^number out of range in JSON: /);
    },
  );

  it('reads what is large but finite', () => {
    expect(parseJson('[1e308, 1e-400, 5E+100]')).toEqual([1e308, 0, 5e100]);
  });

  it('takes nothing in uids, digests and base64 for a number, which would cost four times the time', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const value = {
      uid: '8e123456-e999-4e12-9e400',
      digest: 'sha256:12e3456789abcdef',
      data: 'aE4567//1234567890123456',
    };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
    expect(parse.mock.calls.map((call) => call.length)).toEqual([1]);
  });

  it('keeps a __proto__ key as data', () => {
    const parsed = parseJson('{"__proto__":{"a":12345678901234567890}}');
    expect(Object.keys(parsed as object)).toEqual(['__proto__']);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe('stringifyJson', () => {
  it('writes bigints as digits, with and without indent', () => {
    expect(stringifyJson({ a: 9223372036854775807n, b: [1n] })).toBe('{"a":9223372036854775807,"b":[1]}');
    expect(stringifyJson([1n], 2)).toBe('[\n  1\n]');
  });

  it('passes on errors that are not about bigints', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => stringifyJson(circle)).toThrow(/circular/);
    const failing = {
      toJSON: (): never => {
        throw new RangeError('BigInt or not');
      },
    };
    expect(() => stringifyJson(failing)).toThrow(RangeError);
  });
});

it('what is written is read back, whatever the integers', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n });
  const leaf = fc.oneof(
    int64,
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
  }));
  // The representation may change, the number may not: small bigints and integral doubles change their type, not their
  // text.
  fc.assert(
    fc.property(value, (data) => {
      const text = stringifyJson(data);
      expect(stringifyJson(parseJson(text))).toBe(text);
    }),
  );
  fc.assert(
    fc.property(int64, (integer) => {
      expect(BigInt(parseJson(stringifyJson(integer)) as number | bigint)).toBe(integer);
    }),
  );
});
