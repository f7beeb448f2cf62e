/**
 * JSON and YAML allow these characters unescaped in quoted text, but a terminal acts on them, breaks the line, or
 * displays different text.
 */
const HIDDEN = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Text for people, with a visible placeholder for each hidden character. */
export function showHidden(text: string): string {
  return text.replaceAll(ALL_HIDDEN, '\ufffd');
}

/**
 * A JSON document, or YAML that keeps such text in double quotes, with escapes that every parser reads the same way.
 */
export function escapeHidden(document: string): string {
  return document.replaceAll(ALL_HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
