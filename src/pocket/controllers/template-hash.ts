import { stringifyJson, type Json } from '../../base/index.ts';

/** Letters and digits that form no words; as in generated names. */
const SAFE = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name for a pod template, the same on every start. The real controllers hash Go's print of the struct, so the
 * values differ from theirs; nobody compares them, because templates are compared as such.
 */
export function templateHash(template: Json, collisions = 0): string {
  const text = stringifyJson(sorted(template)) + (collisions === 0 ? '' : `#${collisions}`);
  const digits = fnv1a(text).toString(10);
  return Array.from(digits, (digit) => SAFE.charAt(digit.charCodeAt(0) % SAFE.length)).join('');
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}
