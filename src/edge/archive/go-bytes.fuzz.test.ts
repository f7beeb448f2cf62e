import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import { GoBytes } from './go-bytes.ts';
import { encodeItem } from './writer.ts';

const TYPE = { apiVersion: 'apps/v1', kind: 'Deployment' };
const go = new GoBytes();

/** What the slow way writes of an item of a list; undefined if it is no JSON object. */
function slow(text: string): string | undefined {
  try {
    // As bytes, half a surrogate pair is another character.
    const item = JSON.parse(text.toWellFormed()) as JsonObject;
    const isTyped = 'kind' in item && 'apiVersion' in item;
    return Array.isArray(item) ? undefined : encodeItem(isTyped ? item : { ...TYPE, ...item });
  } catch {
    return undefined;
  }
}

function fast(text: string): string | undefined {
  const bytes = go.encode(Buffer.from(text), TYPE);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}

const key = fc.oneof(
  fc.constantFrom('apiVersion', 'kind', 'metadata', 'spec', 'f:spec', 'k:{"name":"web"}', 'a\\b', '', '1', '__proto__'),
  // V8 mistakes a key with an escape for another one that it has seen before, so there are only those above.
  fc.string({ unit: 'binary', maxLength: 4 }).filter((text) => !/["\\]/.test(text)),
);
const leaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('<a & b>', '\u2028 \u2029', '…', '"\\\n\t\r\b\f\u0001\u001f\u007f', '\ufffd'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));
const object = fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true });

/** The same text with a few bytes exchanged, taken out or put in. */
const broken = fc
  .tuple(
    object,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...Array.from('"\\{}[],:0-1.etn <&u\u0000é')), fc.nat(2)), {
      maxLength: 3,
    }),
  )
  .map(([item, changes]) => {
    let text = JSON.stringify(item);
    for (const [place, char, taken] of changes) {
      const at = place % text.length;
      text = text.slice(0, at) + char + text.slice(at + taken);
    }
    return text;
  });

describe('an item in Go’s order, without parsing', () => {
  it('is what parsing and writing gives, or is left to that', () => {
    fc.assert(
      fc.property(object, (item) => {
        const text = JSON.stringify(item);
        const found = fast(text);
        if (found !== undefined) expect(found).toBe(slow(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is had of everything that Go has written', () => {
    fc.assert(
      fc.property(object, (item) => {
        const text = encodeItem(JSON.parse(JSON.stringify(item)) as JsonObject);
        // Keys with escapes of other kinds, numbers with fractions and half a type are for the slow way.
        const isPlain = !/\\[^"\\]|[.e]\d|\d{16}|[\u0080-\uffff]/.test(text) && 'kind' in item === 'apiVersion' in item;
        if (isPlain) expect(fast(text)).toBe(slow(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('never is what is no JSON, or something else than what was there', () => {
    fc.assert(
      fc.property(broken, (text) => {
        const found = fast(text);
        if (found !== undefined) expect(found).toBe(slow(text));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('what a text may hide', () => {
  it.each([
    ...[
      '{"a":"\\/"}',
      '{"a":01}',
      '{"a":-0}',
      '{"a":00}',
      '{"a":-}',
      '{"a":1.0}',
      '{"a":1e3}',
      '{"a":1234567890123456}',
    ],
    ...['{"a":"\u2028"}', '{"a":"\u2029"}', '{"a":"<"}', '{"a":">"}', '{"a":"&"}', '{"a":"\u0001"}', '{"a":"\\u003C"}'],
    ...['{"a":"\\u0008"}', '{"a":"\\u0041"}', '{"a":"\\ud800"}', '{"a":"\\ufffd"}', '{"a\\u003c":1}', '{"a\\n":1}'],
    ...['{"b":1,"a":2,"b":3}', '{"a":1,"a":2}', '{"a":tru}', '{"a":truex}', '{"a":nul}', '{"a":}', '{"a"}'],
    ...[
      '{"a":1,}',
      '{,"a":1}',
      '{"a" :1}',
      '{"a": 1}',
      '[{}]',
      '{"a":[1,]}',
      '{"a":[}',
      '{"a":[1}',
      '{"a":{}',
      '{"a":1}}',
    ],
    ...[
      '{"kind":"x"}',
      '{"apiVersion":"x"}',
      '',
      '{',
      'null',
      '{"a":"',
      '{"a":"\\',
      `{"a":${'['.repeat(150)}${']'.repeat(150)}}`,
    ],
  ])('%s is left to the parser, or written as after it', (text) => {
    const found = fast(text);
    if (found !== undefined) expect(found).toBe(slow(text));
  });

  it.each([
    ...['{"a\\"":1,"a#":2}', '{"a#":1,"a\\"":2}', '{"b":[{"d":1,"c":[{}]}],"a":{"f":null,"e":"x"}}'],
    ...[
      '{"z":{"apiVersion":"v1","kind":"Pod"},"a":1}',
      '{"b":-7,"a":0,"c":true}',
      '{"a":"\\u003c\\u2028\\u0001\\b…é"}',
      '{}',
    ],
  ])('%s needs no parser', (text) => {
    expect(fast(text)).toBe(slow(text));
  });

  it('is no UTF-8, and then is left to the parser', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(go.encode(bytes, TYPE)).toBeUndefined();
  });
});
