import { cleanText } from '../../base/index.ts';

/** A value of a setting as a message may show it: short, clean, and not at all when it could hold a password. */
export function shown(value: string): string {
  return value.includes('@') ? 'a value with "@", which is not shown' : JSON.stringify(cleanText(value, 100));
}
