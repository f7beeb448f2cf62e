import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

function split(
  text: string,
  cuts: readonly number[],
  maxBytes = 1 << 20,
): { lines: string[]; rest: string | undefined } {
  const bytes = Buffer.from(text);
  const splitter = new LineSplitter(maxBytes);
  const lines: string[] = [];
  let start = 0;
  for (const cut of [...cuts.map((c) => c % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    // A separate chunk, as from a socket: the splitter must not rely on the bytes around it.
    for (const line of splitter.push(Uint8Array.from(bytes.subarray(start, cut)))) lines.push(line.text);
    start = cut;
  }
  return { lines, rest: splitter.rest() };
}

describe('LineSplitter', () => {
  it('gives the same lines wherever the chunks were cut', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 })).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (whole, cuts) => {
        const expected = whole.split('\n');
        const last = expected.pop() ?? '';
        expect(split(whole, cuts)).toEqual({ lines: expected, rest: last === '' ? undefined : last });
      }),
    );
  });

  it('hands out a line that passes the limit at once, and skips the rest of it', () => {
    const splitter = new LineSplitter(4);
    expect(splitter.push(Buffer.from('ab'))).toEqual([]);
    expect(splitter.push(Buffer.from('cdef'))).toEqual([{ text: 'abcd', cut: true }]);
    expect(splitter.push(Buffer.from('ghi'))).toEqual([]);
    expect(splitter.push(Buffer.from('j\nxyzw\n'))).toEqual([{ text: 'xyzw', cut: false }]);
    expect(splitter.rest()).toBeUndefined();
  });

  it('replaces bytes that are no UTF-8', () => {
    expect(new LineSplitter(9).push(Uint8Array.from([0xff, 10]))).toEqual([{ text: '�', cut: false }]);
  });
});
