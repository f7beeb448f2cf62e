import { isObject, type Json, type JsonObject } from '../../src/base/index.ts';
import type { Dice } from './dice.ts';

export interface Made {
  /** Where to POST it. */
  path: string;
  object: JsonObject;
}

const APPLY_SHARE = 0.15;
const LAST_APPLIED_SHARE = 0.5;
const TIME = '2026-11-01T08:00:00Z';

/**
 * An object with the metadata of one that people and programs have worked on: labels, long annotations, and
 * managedFields of several managers, of which some have applied on the server's side.
 */
export function lived(dice: Dice, object: JsonObject): JsonObject {
  const { metadata = {}, ...rest } = object as { metadata?: JsonObject };
  const bare: JsonObject = { ...rest, metadata };
  const isApplied = dice.chance(APPLY_SHARE);
  const annotations: JsonObject = {
    ...(metadata['annotations'] as JsonObject | undefined),
    'meta.helm.sh/release-name': 'platform',
    'example.com/owner': dice.words(dice.between(20, 120)),
  };
  if (!isApplied && dice.chance(LAST_APPLIED_SHARE)) {
    annotations['kubectl.kubernetes.io/last-applied-configuration'] = `${JSON.stringify(bare)}\n`;
  }
  const dressed: JsonObject = { ...rest, metadata: { ...metadata, annotations } };
  return { ...dressed, metadata: { ...metadata, annotations, managedFields: managersOf(dressed, isApplied) } };
}

function managersOf(object: JsonObject, isApplied: boolean): Json[] {
  const { apiVersion, metadata, kind: _kind, ...rest } = object;
  const { labels = {}, annotations = {} } = metadata as JsonObject;
  const entry = (manager: string, operation: string, fields: JsonObject): JsonObject => ({
    ...{ manager, operation, apiVersion: apiVersion ?? 'v1', time: TIME },
    ...{ fieldsType: 'FieldsV1', fieldsV1: fieldsOf(fields) },
  });
  const owner = isApplied ? entry('gitops', 'Apply', rest) : entry('kubectl-client-side-apply', 'Update', rest);
  return [owner, entry('helm', 'Update', { metadata: { labels, annotations } })];
}

/** The fields of an object as managedFields name them. */
function fieldsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [`f:${key}`, fieldsIn(member)]));
}

function fieldsIn(value: Json | undefined): JsonObject {
  if (isObject(value)) return fieldsOf(value);
  if (!Array.isArray(value)) return {};
  const named = value.filter((member) => isObject(member)).filter(({ name }) => typeof name === 'string');
  if (named.length < value.length) return {};
  return Object.fromEntries(
    named.map((member) => [`k:${JSON.stringify({ name: member['name'] ?? '' })}`, { '.': {}, ...fieldsOf(member) }]),
  );
}
