import { isPrintable } from '../format/quote.ts';
import { sprint } from '../format/printf.ts';
import { toBytes } from '../value/go-text.ts';
import { held, indirect } from '../value/inspect.ts';
import { Pointer, type Run, type Value } from '../value/value.ts';

/** The arguments as they would be printed. */
export function argumentsText(values: readonly Value[], run: Run): string {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only;
  const printable = values.map((value) => {
    if (held(value) === undefined) return '<no value>';
    return value instanceof Pointer ? indirect(value).value : value;
  });
  return sprint(printable, run);
}

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (character) => String(HTML[character]));
}

const SCRIPT: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

export function escapeScript(text: string): string {
  return Array.from(text, (character) => {
    const code = Number(character.codePointAt(0));
    const known = SCRIPT[character];
    if (known !== undefined) return known;
    if (code >= 0x20 && code < 0x80) return character;
    // A byte that is no UTF-8 reads as the replacement character, which is printable, and is left as it is.
    const isByte = code >= 0xdc80 && code <= 0xdcff;
    if (code >= 0x80 && (isByte || isPrintable(character))) return character;
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }).join('');
}

export function escapeQuery(text: string): string {
  return Array.from(toBytes(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(character)) return character;
    return byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
