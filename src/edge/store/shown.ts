import { cleanText } from '../../base/index.ts';

/** A setting's value for a message: short, clean, and hidden if it could contain a password. */
export function shown(value: string): string {
  return value.includes('@') ? 'a value with "@", which is not shown' : JSON.stringify(cleanText(value, 100));
}
