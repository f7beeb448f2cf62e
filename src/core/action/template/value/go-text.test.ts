import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byteLength,
  byteSlice,
  compareText,
  fromBytes,
  goText,
  joinText,
  plainText,
  runeCount,
  runes,
  toBytes,
} from './go-text.ts';

describe("Go's strings", () => {
  it('are any bytes, each in one form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = fromBytes(bytes);
        expect([...toBytes(text)]).toEqual([...bytes]);
        expect(byteLength(text)).toBe(bytes.length);
        expect(fromBytes(toBytes(text))).toBe(text);
      }),
    );
  });

  it('are what Node reads and writes where they are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([...toBytes(text)]).toEqual([...Buffer.from(text)]);
        expect(fromBytes(Buffer.from(text))).toBe(text);
      }),
    );
  });

  it('can be cut anywhere and put together again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.nat(20), (bytes, cut) => {
        const text = fromBytes(bytes);
        const at = Math.min(cut, bytes.length);
        expect(joinText([byteSlice(text, 0, at), byteSlice(text, at, bytes.length)])).toBe(text);
      }),
    );
  });

  it('are ordered by their bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), fc.uint8Array({ maxLength: 6 }), (a, b) => {
        const order = Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(Math.sign(compareText(fromBytes(a), fromBytes(b)))).toBe(order);
      }),
    );
  });

  it('show a replacement for what is no UTF-8', () => {
    const text = fromBytes(Uint8Array.of(0x61, 0xff, 0xc3));
    expect(plainText(text)).toBe('a\ufffd\ufffd');
    expect(runes(text)).toEqual(['a', '\ufffd', '\ufffd']);
    expect([runeCount(text), runeCount('aé😀')]).toEqual([3, 3]);
    expect(goText('a\ud800')).toBe('a\ufffd');
  });
});
