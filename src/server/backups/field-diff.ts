import { isEqual, isObject, own, stringifyJson, without, type Json, type JsonObject } from '../../base/index.ts';
import type { FieldChange } from '../../core/operations/index.ts';

const MAX_FIELDS = 200;
const MAX_VALUE = 2000;
const MAX_DEPTH = 64;

/** What a cluster writes by itself and no user means. */
const SERVER_FIELDS = [
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** What users mean of an object: without its status and what the server adds to its metadata. */
export function meaningOf(object: JsonObject): JsonObject {
  const rest = without(object, 'status', 'apiVersion');
  const { metadata } = object;
  return isObject(metadata) ? { ...rest, metadata: without(metadata, ...SERVER_FIELDS) } : rest;
}

/** Field by field what has to be done to `before` to get `after`, at most 200 changes. */
export function diffFields(before: JsonObject, after: JsonObject): FieldChange[] {
  const changes: FieldChange[] = [];
  compare({ path: '', depth: 0 }, before, after, changes);
  return changes;
}

interface Place {
  path: string;
  depth: number;
}

function compare(at: Place, before: Json | undefined, after: Json | undefined, changes: FieldChange[]): void {
  if (changes.length >= MAX_FIELDS || isEqual(before, after)) return;
  if (at.depth < MAX_DEPTH && isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(below(at, `.${key}`), own(before, key), own(after, key), changes);
    }
  } else if (at.depth < MAX_DEPTH && Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of before.entries()) compare(below(at, `[${index}]`), value, after[index], changes);
  } else {
    changes.push({
      path: at.path.replace(/^\./, ''),
      ...(before === undefined ? {} : { before: valueText(before) }),
      ...(after === undefined ? {} : { after: valueText(after) }),
    });
  }
}

function below({ path, depth }: Place, step: string): Place {
  return { path: path + step, depth: depth + 1 };
}

function valueText(value: Json): string {
  const text = stringifyJson(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
