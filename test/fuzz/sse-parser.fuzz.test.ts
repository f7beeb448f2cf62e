import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../any-text.ts';
import { cpuMs } from '../cpu-time.ts';
import { fuzzRuns } from '../fuzz-runs.ts';
import { SseParser, type SseEvent } from '../../web/src/live/sse-parser.ts';

const word = fc.constantFrom(
  'data',
  'event',
  'id',
  'retry',
  ':',
  ': ',
  '{"a":1}',
  'x',
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '',
);
const stream = fc.array(word, { maxLength: 60 }).map((words) => words.join(''));

/** The stream in pieces of these lengths, again and again. */
function eventsOf(text: string, lengths: readonly number[]): SseEvent[] {
  const parser = new SseParser();
  const events: SseEvent[] = [];
  let at = 0;
  for (let turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    events.push(...parser.push(text.slice(at, at + length)));
    at += length;
  }
  return events;
}

it('reads the same events from whatever pieces arrive', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (text, lengths) => {
      // What ends with half of a line's end waits for the rest in both.
      expect(eventsOf(text, lengths)).toEqual(eventsOf(text, [Math.max(1, text.length)]));
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

it('gives back the data that was sent', () => {
  fc.assert(
    fc.property(fc.array(anyText(), { maxLength: 5 }), (texts) => {
      const sent = texts.map((text) => JSON.stringify(text));
      const events = eventsOf(sent.map((data) => `event: operation\r\ndata: ${data}\r\n\r\n`).join(''), [7]);
      expect(events.map(({ data }) => data)).toEqual(sent);
    }),
    { numRuns: fuzzRuns(300) },
  );
});

it('takes as long for a line in many pieces as for many lines, and refuses one without an end', () => {
  const parser = new SseParser(4_000_000);
  const piece = 'x'.repeat(100);
  const push = (): void => {
    for (let at = 0; at < 39_000; at += 1) parser.push(piece);
  };
  expect(cpuMs(push)).toBeLessThan(500);
  expect(() => {
    for (let at = 0; at < 2000; at += 1) parser.push(piece);
  }).toThrow('longer than 4000000 characters');
});
