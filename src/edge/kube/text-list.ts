import { valueAt, type JsonObject } from '../../base/index.ts';

/** The texts of a list; what else is in it is passed over. */
export function textListAt(object: JsonObject, key: string): string[] {
  const found = valueAt(object, key);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
