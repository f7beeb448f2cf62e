import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../../base/index.ts';
import { ITEM, spansOf } from './list-spans.ts';

/** Parses each span on its own. */
function itemsIn(text: string): unknown[] | undefined {
  const bytes = Buffer.from(text);
  const spans = spansOf(bytes);
  if (spans === undefined) return undefined;
  expect(JSON.parse(bytes.toString('utf8', spans.start, spans.end))).toBeInstanceOf(Array);
  return Array.from({ length: spans.items.length / ITEM }, (_, at) => {
    const item = bytes.toString('utf8', spans.items[ITEM * at], spans.items[ITEM * at + 1]);
    return spans.numbers.has(spans.items[ITEM * at]!) ? parseJson(item) : (JSON.parse(item) as unknown);
  });
}

// Texts that are hard for a scanner that looks only for quotes and braces.
const nastyText = fc.oneof(fc.string(), fc.stringMatching(/^["\\{}[\],:a]{0,40}$/), fc.constant('items'));
const nastyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    nastyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(nastyText, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const object = fc.dictionary(nastyText, nastyValue, { maxKeys: 5 });

it('finds the same items as one who reads everything, however the list is written', () => {
  fc.assert(
    fc.property(
      object,
      fc.array(object),
      object,
      fc.constantFrom(undefined, 1, '\t'),
      (before, items, after, space) => {
        delete before['items'];
        delete after['items'];
        const text = JSON.stringify({ ...before, items, ...after }, undefined, space);
        expect(itemsIn(text)).toEqual((parseJson(text) as { items: unknown[] }).items);
      },
    ),
    { numRuns: 500 },
  );
});

it('never takes a part for the whole', () => {
  const text = JSON.stringify({ metadata: { items: [{}] }, items: [{ a: '"}],\\' }, { b: [1, {}] }], kind: 'L' });
  for (let end = 0; end < text.length; end += 1) expect(spansOf(Buffer.from(text.slice(0, end)))).toBeUndefined();
  expect(itemsIn(text)).toHaveLength(2);
});

it.each([
  '',
  '[]',
  '{}',
  '"items"',
  '{"items":null}',
  '{"items":{}}',
  '{"kind":"items"}',
  '{"a":{"items":[{}]}}',
  '}{',
])('finds no list in %s', (text) => {
  expect(spansOf(Buffer.from(text))).toBeUndefined();
});

it.each([
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['1e3', 1000],
  ['12345678.5', 12345678.5],
])('keeps the number %s', (written, value) => {
  expect(itemsIn(`{"items":[{"a":"x"},{"a":[${written}]},{"a":${written} }]}`)).toEqual([
    { a: 'x' },
    { a: [value] },
    { a: value },
  ]);
});

it('passes over what is no object', () => {
  expect(itemsIn('{"items":[1,"{}",[{"a":1}],null,{"b":2}]}')).toEqual([{ b: 2 }]);
});
