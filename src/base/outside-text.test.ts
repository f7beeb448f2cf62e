import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './outside-text.ts';

describe('text from outside', () => {
  it.each([
    ['a bucket’s name: für 東京 🙂', 'a bucket’s name: für 東京 🙂'],
    ['two\nlines\r\n\tand a tab', 'two\\nlines\\r\\n\\tand a tab'],
    ['\u0007\b\v\f\0', '\\a\\b\\v\\f\\x00'],
    // Clears the screen and sets the terminal's title; the second form needs no escape character.
    ['\u001b[2J\u001b]0;owned\u0007', '\\x1b[2J\\x1b]0;owned\\a'],
    ['\u009b2J\u007f', '\\u009b2J\\x7f'],
    // Displayed as "gpj.exe".
    [
      '\u202egpj.exe\u202c \u2066x\u2069 \u200e\u200f\u061c',
      '\\u202egpj.exe\\u202c \\u2066x\\u2069 \\u200e\\u200f\\u061c',
    ],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['half \ud83d of a pair \ude42', 'half \\ud83d of a pair \\ude42'],
  ])('%j reads %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('is cut where it is too long', () => {
    expect(cleanText('x'.repeat(1024))).toBe('x'.repeat(1024));
    expect(cleanText('x'.repeat(2 * 1024 ** 2))).toBe(`${'x'.repeat(1023)}…`);
    expect(cleanText('abcdef', 5)).toBe('abcd…');
    expect(cleanText('abc\ndef', 7)).toBe('abc\\nd…');
    expect(cleanText('ab🙂cd', 4)).toBe('ab…');
    expect(cleanText('a', 0)).toBe('…');
    expect(cleanText('x'.repeat(5000), Infinity)).toHaveLength(5000);
  });

  it('is safe and bounded, whatever it was, and stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 200 }), (text, max) => {
        const clean = cleanText(text, max);
        expect(clean.length).toBeLessThanOrEqual(max);
        expect(clean).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanText(clean, max)).toBe(clean);
      }),
    );
  });
});
