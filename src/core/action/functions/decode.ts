import { isObject, parseGoDuration, textAt, type Json, type JsonObject } from '../../../base/index.ts';
import type { ArgumentType } from './declaration.ts';

/** What a function gets for each type of argument. */
export interface ArgumentValues {
  text: string;
  texts: string[];
  flag: boolean;
  count: number;
  textMap: Record<string, string>;
  podSpec: JsonObject;
  objectReference: ObjectReference;
  conditions: Conditions;
}

/** Kanister's own: version, group and resource apart. */
export interface ObjectReference {
  apiVersion: string;
  group: string;
  resource: string;
  kind: string;
  name: string;
  namespace: string;
}

export interface Condition {
  condition: string;
  objectReference: ObjectReference;
}

export interface Conditions {
  anyOf: Condition[];
  allOf: Condition[];
}

export type Decoded<T> = { value: T } | { problem: string };

/** Reads an argument as leniently as upstream does: numbers as text, digits as numbers, one value as a list of one. */
export function decodeArgument<T extends ArgumentType>(type: T, json: Json): Decoded<ArgumentValues[T]> {
  return READERS[type](json);
}

const READERS: { [T in ArgumentType]: (json: Json) => Decoded<ArgumentValues[T]> } = {
  text: readText,
  texts: readTexts,
  flag: readFlag,
  count: readCount,
  textMap: readTextMap,
  podSpec: (json) => (isObject(json) ? { value: json } : expected('an object', json)),
  objectReference: (json) => (isObject(json) ? { value: referenceOf(json) } : expected('an object', json)),
  conditions: readConditions,
};

function expected(what: string, json: Json): { problem: string } {
  return { problem: `expected ${what}, got ${shown(json)}` };
}

function shown(json: Json): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'a list';
  if (isObject(json)) return 'an object';
  const text = JSON.stringify(typeof json === 'bigint' ? String(json) : json);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function readText(json: Json): Decoded<string> {
  if (typeof json === 'string') return { value: json };
  if (typeof json === 'boolean') return { value: json ? '1' : '0' };
  if (typeof json === 'number' || typeof json === 'bigint') return { value: String(json) };
  return expected('text', json);
}

function readTexts(json: Json): Decoded<string[]> {
  const items = Array.isArray(json) ? json : [json];
  const values: string[] = [];
  for (const [index, item] of items.entries()) {
    const read = readText(item);
    if ('problem' in read) return { problem: `[${String(index)}]: ${read.problem}` };
    values.push(read.value);
  }
  return { value: values };
}

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False', ''];

function readFlag(json: Json): Decoded<boolean> {
  if (typeof json === 'boolean') return { value: json };
  if (typeof json === 'number' || typeof json === 'bigint') return { value: Number(json) !== 0 };
  if (typeof json === 'string' && TRUE.includes(json)) return { value: true };
  return typeof json === 'string' && FALSE.includes(json) ? { value: false } : expected('true or false', json);
}

function readCount(json: Json): Decoded<number> {
  const value = typeof json === 'string' && /^[+-]?\d{1,15}$/.test(json) ? Number(json) : json;
  if (typeof value === 'number' && Number.isInteger(value)) return { value };
  return expected('a whole number', json);
}

function readTextMap(json: Json): Decoded<Record<string, string>> {
  if (!isObject(json)) return expected('an object', json);
  const entries: [string, string][] = [];
  for (const [key, value] of Object.entries(json)) {
    const read = readText(value ?? null);
    if ('problem' in read) return { problem: `${key}: ${read.problem}` };
    entries.push([key, read.value]);
  }
  return { value: Object.fromEntries(entries) };
}

function referenceOf(json: JsonObject): ObjectReference {
  const [apiVersion = '', resource = '', kind = '', name = '', namespace = ''] = [
    'apiVersion',
    'resource',
    'kind',
    'name',
    'namespace',
  ].map((field) => textAt(json, field));
  // kanctl writes a group with a slash behind it.
  const group = (textAt(json, 'group') ?? '').replace(/\/+$/, '');
  return { apiVersion, group, resource, kind, name, namespace };
}

function readConditions(json: Json): Decoded<Conditions> {
  if (!isObject(json)) return expected('an object with anyOf or allOf', json);
  const [anyOf, allOf] = [readConditionList(json['anyOf'], 'anyOf'), readConditionList(json['allOf'], 'allOf')];
  if ('problem' in anyOf) return anyOf;
  if ('problem' in allOf) return allOf;
  return { value: { anyOf: anyOf.value, allOf: allOf.value } };
}

function readConditionList(json: Json | undefined, name: string): Decoded<Condition[]> {
  if (json === undefined || json === null) return { value: [] };
  if (!Array.isArray(json)) return { problem: `${name}: ${expected('a list', json).problem}` };
  const conditions: Condition[] = [];
  for (const [index, item] of json.entries()) {
    const condition = isObject(item) ? item['condition'] : undefined;
    const reference = isObject(item) ? item['objectReference'] : undefined;
    if (typeof condition !== 'string' || !isObject(reference)) {
      return { problem: `${name}[${String(index)}]: expected a condition and an objectReference` };
    }
    conditions.push({ condition, objectReference: referenceOf(reference) });
  }
  return { value: conditions };
}

/** Milliseconds of a timeout such as `5m`, or what is wrong with it. */
export function readTimeout(text: string): Decoded<number> {
  const value = parseGoDuration(text);
  return value === undefined
    ? { problem: `Failed to parse timeout: ${JSON.stringify(text)} is no duration` }
    : { value };
}
