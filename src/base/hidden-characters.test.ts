import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../../test/any-text.ts';
import { escapeHidden, hasHidden, showHidden } from './hidden-characters.ts';

it('writes what a terminal would obey as escapes, and changes no value', () => {
  expect(escapeHidden('{"a":"\u202egpj \u009b2J \u007f"}')).toBe('{"a":"\\u202egpj \\u009b2J \\u007f"}');
  fc.assert(
    fc.property(fc.dictionary(anyText(), anyText()), (value) => {
      const document = escapeHidden(JSON.stringify(value));
      expect(document).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(hasHidden(document)).toBe(false);
      expect(JSON.parse(document)).toEqual(value);
    }),
  );
});

it('says whether there is one, each time it is asked', () => {
  expect([hasHidden('\u2028'), hasHidden('\u2028'), hasHidden('plain 東京 🙂')]).toEqual([true, true, false]);
});

it('shows where they are', () => {
  expect(showHidden('invoice\u202efdp.exe\u2069 東京 🙂')).toBe('invoice\ufffdfdp.exe\ufffd 東京 🙂');
});
