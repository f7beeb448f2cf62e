import { isEqual, textAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '../field-error.ts';

/** Judges an object that has been defaulted. `old` is the stored object of an update. */
export type Rule = (object: JsonObject, old: JsonObject | undefined) => FieldError[];

/** Go's zero value where there is none. */
export function stringAt(object: Json | undefined, ...keys: string[]): string {
  return textAt(object, ...keys) ?? '';
}

/** The texts of a list; nothing where there is none. */
export function textsAt(object: Json | undefined, ...keys: string[]): string[] {
  const list = valueAt(object, ...keys);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

export const isUnchanged = (a: Json | undefined, b: Json | undefined): boolean => isEqual(a ?? null, b ?? null);

export function oneOf(value: Json | undefined, field: string, allowed: readonly string[]): FieldError[] {
  if (value === undefined || value === '') return [required(field)];
  return typeof value === 'string' && allowed.includes(value) ? [] : [notSupported(field, value, allowed)];
}

/** The same for what may be absent. */
export function notOneOf(value: Json | undefined, field: string, allowed: readonly string[]): FieldError[] {
  return value === undefined || value === '' ? [] : oneOf(value, field, allowed);
}

export function nonNegative(value: Json | undefined, field: string): FieldError[] {
  return typeof value === 'number' && value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
}

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for " +
  "validation is '[0-9]+%')";

export function intOrPercent(value: Json, field: string): FieldError[] {
  if (typeof value === 'string') return /^[0-9]+%$/.test(value) ? [] : [invalid(field, value, PERCENT)];
  return nonNegative(value, field);
}

/** Of a whole there is no more than all. */
export function notBeyondAll(value: Json | undefined, field: string): FieldError[] {
  const percent = typeof value === 'string' ? /^([0-9]+)%$/.exec(value)?.[1] : undefined;
  return Number(percent ?? 0) > 100 ? [invalid(field, value ?? null, 'must not be greater than 100%')] : [];
}

export function portNumber(value: Json | undefined, field: string): FieldError[] {
  const isPort = typeof value === 'number' && value >= 1 && value <= 65_535;
  return isPort ? [] : [invalid(field, value ?? 0, 'must be between 1 and 65535, inclusive')];
}

export function immutable(object: JsonObject, old: JsonObject | undefined, keys: string[]): FieldError[] {
  if (!old) return [];
  const value = valueAt(object, ...keys);
  return isUnchanged(value, valueAt(old, ...keys))
    ? []
    : [invalid(keys.join('.'), value ?? null, 'field is immutable')];
}

/** `immutable: true` freezes the data of config maps and secrets, and cannot be taken back. */
export function frozenData(object: JsonObject, old: JsonObject | undefined, keys: readonly string[]): FieldError[] {
  if (old?.['immutable'] !== true) return [];
  const text = 'field is immutable when `immutable` is set';
  const thawed = object['immutable'] === true ? [] : [forbidden('immutable', text)];
  return [...thawed, ...keys.filter((key) => !isUnchanged(object[key], old[key])).map((key) => forbidden(key, text))];
}
