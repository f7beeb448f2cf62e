import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzRuns } from '../../test/fuzz-runs.ts';
import { JsonReader } from './json-reader.ts';
import { parseJson } from './lossless-json.ts';

const LIMITS = { maxValues: 100_000, maxTextLength: 100_000 };

/** The parsed value, or a marker that parsing failed. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}

function readParts(text: string, lengths: readonly number[]): unknown {
  const reader = new JsonReader(LIMITS);
  let at = 0;
  for (const length of [...lengths, text.length]) {
    reader.push(text.slice(at, at + length));
    at += length;
    while (reader.read(2));
  }
  return reader.end();
}

// Almost JSON: fragments of it in any order, and whole documents with something cut out.
const pieces = fc.array(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '1',
    '-',
    'e',
    '.',
    'true',
    'null',
    ' ',
    'é',
    '\\u00',
    '9007199254740993',
  ),
  { maxLength: 20 },
);
const damaged = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3))
  .map(([text, at, length]) => text.slice(0, at % text.length) + text.slice((at % text.length) + length));
const document = fc.oneof(
  fc.json({ maxDepth: 5 }),
  pieces.map((all) => all.join('')),
  damaged,
  fc.string(),
);

it('reads any text in parts as JSON.parse reads it at once', () => {
  fc.assert(
    fc.property(document, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 30 }), (text, lengths) => {
      expect(outcomeOf(() => readParts(text, lengths))).toEqual(outcomeOf(() => parseJson(text)));
    }),
    // A string that never ends, after a complete value.
    { numRuns: fuzzRuns(500), examples: [['true"', []]] },
  );
}, 600_000);
