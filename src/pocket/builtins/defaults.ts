import { isObject, type Json, type JsonObject } from '../../base/index.ts';
import { CORE_DEFAULTS } from './defaults/core.ts';
import type { Defaulter } from './defaults/defaulter.ts';
import { OTHER_DEFAULTS } from './defaults/other.ts';
import { POD_DEFAULTS } from './defaults/pod.ts';
import { WORKLOAD_DEFAULTS } from './defaults/workload.ts';
import { normalizeStruct } from './normalize.ts';
import { parseQuantity } from './quantity.ts';
import type { BuiltinType } from './table.ts';
import { goTypeOf, type GoField, type GoStruct, type GoType } from './types.ts';

const DEFAULTS: ReadonlyMap<string, Defaulter> = new Map(
  [CORE_DEFAULTS, POD_DEFAULTS, WORKLOAD_DEFAULTS, OTHER_DEFAULTS].flatMap((table) => Object.entries(table)),
);
/** Resources are counted in thousandths. */
const MILLI = -3;

/**
 * The object as the real server has it after reading: normalized as Go writes it, and with the defaults of its type and
 * of every type inside. Never mutates its argument; the object must have passed the type check.
 */
export function applyBuiltinDefaults(type: BuiltinType, object: JsonObject): JsonObject {
  const struct = goTypeOf(type.group, type.version, type.kind);
  if (!struct) return object;
  // What normalizing returns is new all the way down, so that the defaults can be written into it.
  const result = normalizeStruct(struct, object);
  fill(struct, result);
  return result;
}

/** The outer type goes first, as upstream: a pod copies limits to requests before its containers are looked at. */
function fill(struct: GoStruct, object: JsonObject): void {
  DEFAULTS.get(struct.name)?.(object);
  for (const [name, field] of struct.byName) {
    const value = object[name];
    if (value !== undefined && value !== null) fillField(field, value);
  }
}

function fillField(field: GoField, value: Json): void {
  if (field.goName === 'v1.ResourceList' && isObject(value)) roundResources(value);
  else fillValue(field.type, value);
}

function fillValue(type: GoType, value: Json): void {
  if (type.kind === 'struct' && isObject(value)) fill(type.struct, value);
  else if (type.kind === 'list' && Array.isArray(value)) for (const item of value) fillValue(type.of, item);
  else if (type.kind === 'map' && isObject(value))
    for (const item of Object.values(value)) fillValue(type.of, item ?? null);
}

function roundResources(list: JsonObject): void {
  for (const [name, amount] of Object.entries(list)) {
    const parsed = typeof amount === 'string' ? parseQuantity(amount, MILLI) : undefined;
    if (parsed && 'text' in parsed) list[name] = parsed.text;
  }
}
