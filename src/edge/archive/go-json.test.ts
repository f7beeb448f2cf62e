import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, type Json } from '../../base/index.ts';
import { goJson } from './go-json.ts';

// Written by Go 1.26: decoded with int64 preserved, as Kubernetes does, then json.Marshal.
const GO: [source: string, marshalled: string][] = [
  [
    String.raw`{"b":1,"a":"<script>&amp;</script>","10":1,"9":2}`,
    String.raw`{"10":1,"9":2,"a":"\u003cscript\u003e\u0026amp;\u003c/script\u003e","b":1}`,
  ],
  [
    String.raw`{"s":"\u2028\u2029\u0000\u001f\b\f\n\r\t\"\\\/\u007f\u00fc\u4e16"}`,
    String.raw`{"s":"\u2028\u2029\u0000\u001f\b\f\n\r\t\"\\/` + '\u007fü世"}',
  ],
  [String.raw`{"\ue000":1,"\ud83d\ude00":2,"z":3,"\uffff":4}`, '{"z":3,"\ue000":1,"\uffff":4,"😀":2}'],
  [
    '{"n":[9007199254740993,-9223372036854775808,1.5,1e21,1e-7,0.000001,-0.5,1.0,100]}',
    '{"n":[9007199254740993,-9223372036854775808,1.5,1e+21,1e-7,0.000001,-0.5,1,100]}',
  ],
  [
    '{"e":{},"l":[],"t":true,"f":false,"z":null,"nested":{"y":[{"b":1,"a":2}]}}',
    '{"e":{},"f":false,"l":[],"nested":{"y":[{"a":2,"b":1}]},"t":true,"z":null}',
  ],
  ['{"":"empty key","a.b/c":"x","A":1,"_":2}', '{"":"empty key","A":1,"_":2,"a.b/c":"x"}'],
];

describe('goJson', () => {
  it.each(GO)('writes %s as Go does', (source, marshalled) => {
    expect(goJson(parseJson(source) as Json)).toBe(marshalled);
  });

  it('writes half a surrogate pair as Go writes invalid UTF-8', () => {
    expect(goJson('a\ud800b')).toBe(String.raw`"a\ufffdb"`);
    expect(goJson('\\ud800 \udfff')).toBe(String.raw`"\\ud800 \ufffd"`);
  });

  it('leaves out what is undefined', () => {
    expect(goJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ['a key that is no property when assigned', '{"b":{"__proto__":1},"a":2}', '{"a":2,"b":{"__proto__":1}}'],
    ['a number as key below keys in order', '{"a":{"b":1,"10":2,"9":3}}', '{"a":{"10":2,"9":3,"b":1}}'],
    ['a list with one object out of order', '[{"a":1},{"c":1,"b":2},3]', '[{"a":1},{"b":2,"c":1},3]'],
    [
      'keys out of order deep in keys in order',
      '{"a":1,"b":[{"d":{"f":1,"e":2}}]}',
      '{"a":1,"b":[{"d":{"e":2,"f":1}}]}',
    ],
    ['text that looks like an escape', String.raw`{"a":"\\ud800 <"}`, String.raw`{"a":"\\ud800 \u003c"}`],
  ])('writes %s', (_, source, expected) => {
    expect(goJson(parseJson(source) as Json)).toBe(expected);
  });

  it('puts many keys in order', () => {
    const names = Array.from({ length: 50 }, (_, at) => `k${String((at * 37) % 50)}`);
    const object = Object.fromEntries(names.map((name) => [name, name]));
    expect(goJson(object)).toBe(JSON.stringify(Object.fromEntries(names.toSorted().map((name) => [name, name]))));
  });

  it('changes nothing in what it writes', () => {
    const object = { b: [{ d: 1, c: 2 }], a: { z: 1 } };
    goJson(object);
    expect(JSON.stringify(object)).toBe('{"b":[{"d":1,"c":2}],"a":{"z":1}}');
  });

  it('is JSON that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // A negative zero does not survive JSON.stringify either.
        const plain: unknown = JSON.parse(JSON.stringify(value));
        const text = goJson(plain as Json);
        expect(JSON.parse(text)).toEqual(plain);
        // One special character forces the slow, exact path; the output must be the same.
        expect(goJson(['<', plain as Json])).toBe(String.raw`["\u003c",${text}]`);
      }),
    );
  });
});
