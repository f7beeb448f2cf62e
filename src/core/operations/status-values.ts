import { objectsAt, textAt, valueAt, type Json, type JsonObject } from '../../base/index.ts';

/** Readers for status that anybody may have written: what has another type reads as absent. */

/** A count that is no smaller than 0, also as text: `"50000"`, as seed 001 writes sizes. */
export function countAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  const count = typeof found === 'bigint' || isDigits(found) ? Number(found) : found;
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined;
}

function isDigits(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}

/** A list of texts; other elements are skipped. */
export function textListAt(value: Json | undefined, ...path: readonly string[]): string[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter((text) => typeof text === 'string') : [];
}

/** The selected names; absent when everything is selected. */
export function chosenAt(value: Json | undefined, ...path: readonly string[]): string[] | undefined {
  const names = textListAt(value, ...path);
  return names.length === 0 || names.includes('*') ? undefined : names;
}

/** A time that is one; the seed's `12:448:55Z` is none. */
export function timeAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

export function trueConditions(status: JsonObject): JsonObject[] {
  return objectsAt(status, 'conditions').filter((each) => textAt(each, 'status') === 'True');
}

export function trueCondition(status: JsonObject, type: string): JsonObject | undefined {
  return trueConditions(status).find((each) => textAt(each, 'type') === type);
}
