import { describe, expect, it } from 'vitest';
import { JsonReader } from './json-reader.ts';
import { parseJson, type Json } from './lossless-json.ts';

const LIMITS = { maxValues: 1000, maxTextLength: 1000 };

/** Reads the text in parts of that length, a few tokens at a time. */
function readParts(text: string, length: number, limits = LIMITS): Json {
  const reader = new JsonReader(limits);
  for (let at = 0; at < text.length; at += length) {
    reader.push(text.slice(at, at + length));
    while (reader.read(3));
  }
  return reader.end();
}

describe('a document', () => {
  it.each([
    '{}',
    '[]',
    ' [ ] ',
    '0',
    '-1.5e3',
    '"a"',
    'null',
    '{"a":{"b":[1,true,false,null,"x"]},"c":""}',
    '["\\"","\\\\","\\\\\\"","\\u00e9\\ud83d\\ude00","é😀"]',
    '[9007199254740993,-9223372036854775808,1e2]',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1},"constructor":2}',
    '\t{\n"a" :\r[ 1 , 2 ]\n}\n',
  ])('%s is what it is when it is read at once, in parts of any length', (text) => {
    for (const length of [1, 2, 3, 7, 1000]) expect(readParts(text, length)).toEqual(parseJson(text));
  });

  it('has no prototype of its own making', () => {
    const value = readParts('{"__proto__":{"x":1}}', 5) as { x?: number };
    expect(value.x).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '{',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{1:2}',
    '{"a" 1}',
    '{"a":1]',
    '[1}',
    '1 2',
    '[] []',
    ']',
    ',',
    ':',
    '[1:2]',
    '1,2',
    '{"a","b"}',
    '"a',
    '"\\x"',
    '"\n"',
    '01',
    'nul',
    'nulll',
    '+1',
    '.5',
    '[é]',
    '"a" "b"',
    '1e999',
    `[${'9'.repeat(41)}]`,
  ])('%s is refused, as it is when it is read at once', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
    for (const length of [1, 2, 1000]) expect(() => readParts(text, length)).toThrow(SyntaxError);
  });

  it('is refused when it is nested too deeply', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(readParts(nested(1000), 100, { ...LIMITS, maxValues: 2000 })).toEqual(parseJson(nested(1000)));
    expect(() => readParts(nested(1001), 100, { ...LIMITS, maxValues: 2000 })).toThrow(
      'nested deeper than 1000 levels',
    );
  });

  it('is refused with too many values, or a text that is too long', () => {
    const values = (count: number): string => JSON.stringify(Array.from({ length: count - 1 }, () => 0));
    expect(readParts(values(1000), 10)).toHaveLength(999);
    expect(() => readParts(values(1001), 10)).toThrow('expected at most 1000 values');
    const text = (length: number): string => JSON.stringify('x'.repeat(length));
    expect(readParts(text(998), 10)).toHaveLength(998);
    for (const part of [10, 5000]) {
      expect(() => readParts(text(1001), part)).toThrow('expected at most 1000 characters in one text');
      expect(() => readParts('1'.repeat(2000), part)).toThrow(/1000 characters in one text|2000 digits/);
    }
  });
});

it('gives what there is of a document that ends in the middle', () => {
  const reader = new JsonReader(LIMITS);
  expect(reader.soFar()).toBeUndefined();
  reader.push('{"a":["x","y"],"b":{"c":[1,2');
  while (reader.read(10));
  expect(reader.soFar()).toEqual({ a: ['x', 'y'], b: { c: [1] } });
});
