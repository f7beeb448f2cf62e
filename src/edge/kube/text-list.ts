import { valueAt, type JsonObject } from '../../base/index.ts';

/** The strings in a list; other elements are skipped. */
export function textListAt(object: JsonObject, key: string): string[] {
  const found = valueAt(object, key);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
