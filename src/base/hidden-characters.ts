/**
 * JSON and YAML allow these in quoted text as they are, but a terminal obeys them, ends the line, or shows text that
 * reads otherwise.
 */
const HIDDEN = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Text for people, where each of them is a sign that something is there. */
export function showHidden(text: string): string {
  return text.replaceAll(ALL_HIDDEN, '\ufffd');
}

/** A document in JSON, or in YAML that has such text in double quotes, with escapes that mean the same to every reader. */
export function escapeHidden(document: string): string {
  return document.replaceAll(ALL_HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
