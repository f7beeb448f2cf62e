import { isObject, type Json, type JsonObject } from '../../../base/index.ts';

/** Writes the defaults of one Go type into an object of that type, which is the caller's own copy. */
export type Defaulter = (object: JsonObject) => void;
/** By OpenAPI name of the type. */
export type Defaulters = Readonly<Record<string, Defaulter>>;

/** Go's zero values: what was not given, or given as nothing. */
export function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

export function setDefault(object: JsonObject, key: string, value: Json): void {
  if (isUnset(object[key])) object[key] = value;
}

/** For pointer fields, whose 0 and '' are values. */
export function setIfAbsent(object: JsonObject, key: string, value: Json): void {
  if (object[key] === undefined || object[key] === null) object[key] = value;
}

/** Defaults that depend on nothing. Values are copied, because the object is written to later. */
export function constants(values: JsonObject): Defaulter {
  return (object) => {
    for (const [key, value = null] of Object.entries(values)) setIfAbsent(object, key, structuredClone(value));
  };
}

/** The object under the key, made when it is not there. */
export function objectMadeAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  if (isObject(value)) return value;
  const made: JsonObject = {};
  object[key] = made;
  return made;
}

export function isEmptyMap(value: Json | undefined): boolean {
  return !isObject(value) || Object.keys(value).length === 0;
}
