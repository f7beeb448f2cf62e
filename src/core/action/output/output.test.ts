import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputReader, markerLine, mergeOutputs } from './markers.ts';
import { OutputTail } from './tail.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

function read(...chunks: (string | Uint8Array)[]): Record<string, string> {
  const reader = new OutputReader();
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? bytes(chunk) : chunk);
  return reader.finish();
}

describe('outputs of a phase', () => {
  it('are what kando prints, byte for byte', () => {
    expect(markerLine('path', 'a "b" \\ c <é>')).toBe(
      '###Phase-output###: {"key":"path","value":"a \\"b\\" \\\\ c \\u003cé\\u003e"}\n',
    );
  });

  it.each([
    ['between other lines', 'before\n###Phase-output###: {"key":"k","value":"v"}\nafter\n', { k: 'v' }],
    ['in the middle of a line', 'text ###Phase-output###: {"key":"k","value":"v"}\n', { k: 'v' }],
    ['without a space', '###Phase-output###:{"key":"k","value":"v"}\n', { k: 'v' }],
    ['in a last line without its end', '###Phase-output###: {"key":"k","value":"v"}', { k: 'v' }],
    [
      'twice: the last wins',
      '###Phase-output###: {"key":"k","value":"1"}\n###Phase-output###: {"key":"k","value":"2"}\n',
      { k: '2' },
    ],
    ['after signs that begin like a marker', '####Phase-outp###Phase-output###: {"key":"k","value":"v"}\n', { k: 'v' }],
    ['after many signs', '########Phase-output###: {"key":"k","value":"v"}\n', { k: 'v' }],
    ['with fields that nobody knows', '###Phase-output###: {"key":"k","value":"","x":1}\r\n', { k: '' }],
    ['nowhere', 'nothing\n##Phase-output###: x\n', {}],
  ])('are found %s', (_where, text, outputs) => {
    expect(read(text)).toEqual(outputs);
    // However it is cut.
    expect(read(...Array.from(text))).toEqual(outputs);
  });

  it.each([
    'not json',
    '{"key":"k"}',
    '{"key":1,"value":"v"}',
    'null',
    '',
    '{"key":"a","value":"b"} ###Phase-output###: {}',
  ])('are refused where a marker is followed by %j', (text) => {
    expect(() => read(`###Phase-output###: ${text}\n`)).toThrow(/^Failed to unmarshal key-value pair: /);
  });

  it('are the same however the output is cut, whatever is between them', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('#', '###', '###Phase-output##', '\n', 'Phase-output###:', '\r').map(bytes),
    );
    const key = fc.string({ unit: fc.constantFrom('a', 'B', '_', '0'), minLength: 1, maxLength: 3 });
    const pair = fc.record({ key, value: fc.string({ unit: 'grapheme', maxLength: 20 }) });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(noise, pair), { maxLength: 6 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (parts, cuts) => {
          const clean = (chunk: Uint8Array) => !Buffer.from(chunk).includes('###Phase-output###:');
          fc.pre(parts.every(([chunk]) => clean(chunk)));
          const all = Buffer.concat(
            parts.flatMap(([chunk, { key: name, value }]) => [chunk, bytes(`\n${markerLine(name, value)}`)]),
          );
          const places = [0, ...cuts.map((cut) => Math.min(cut, all.length)).toSorted((a, b) => a - b), all.length];
          const chunks = places.slice(1).map((end, index) => new Uint8Array(all.subarray(places[index], end)));
          expect(read(...chunks)).toEqual(
            Object.fromEntries(parts.map(([, { key: name, value }]) => [name, value.toWellFormed()])),
          );
        },
      ),
    );
  });

  it('may be far longer than 64 KiB, but not endless', () => {
    const value = 'x'.repeat(300_000);
    expect(read(`${'y'.repeat(200_000)}${markerLine('k', value)}`)).toEqual({ k: value });
    expect(() => read(`###Phase-output###: {"key":"k","value":"${'x'.repeat(600_000)}"}\n`)).toThrow(
      'longer than 524288 bytes',
    );
    expect(() => read(...Array.from({ length: 5 }, (_, index) => markerLine(`k${index}`, value)))).toThrow(
      'more than 1048576 bytes',
    );
    expect(() => read(...Array.from({ length: 1001 }, (_, index) => markerLine(`k${index}`, '')))).toThrow(
      'more than 1000 outputs',
    );
  });

  it('take no memory of an output that has no end', () => {
    const reader = new OutputReader();
    const tail = new OutputTail();
    const chunk = bytes('#'.repeat(65_536));
    for (let left = 500; left > 0; left -= 1) {
      reader.push(chunk);
      tail.push(chunk);
    }
    reader.push(bytes(`\n${markerLine('k', 'v')}`));
    expect(reader.finish()).toEqual({ k: 'v' });
    expect(tail.lines()).toEqual(['#'.repeat(1024)]);
  });

  it('of several commands are one', () => {
    expect(mergeOutputs([{ a: '1', b: '1' }, { b: '2' }])).toEqual({ a: '1', b: '2' });
  });
});

describe('the end of an output', () => {
  it('is its last ten lines that are not empty', () => {
    const tail = new OutputTail();
    for (let line = 1; line <= 15; line += 1) tail.push(bytes(`line ${line}\r\n\n \n`));
    tail.push(bytes('last'));
    expect(tail.lines()).toEqual([...Array.from({ length: 9 }, (_, index) => `line ${index + 7}`), 'last']);
  });

  it('can be bytes of any kind', () => {
    const tail = new OutputTail();
    tail.push(Uint8Array.of(0xff, 0x00, 0x0a, 0xc3));
    tail.push(Uint8Array.of(0xa9));
    expect(tail.lines()).toEqual(['\ufffd\0', 'é']);
  });
});
