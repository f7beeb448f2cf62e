/**
 * The built-in kinds of the pocket API server: the table of what is served, their generated types, and their defaults.
 * It must never keep state or answer requests.
 */
export { BUILTINS, type BuiltinType, type Subresource } from './table.ts';
export { applyBuiltinDefaults } from './defaults.ts';
export {
  goTypeOf,
  JSON_SCHEMA_PROPS,
  OBJECT_META,
  TYPES_HASH,
  type GoField,
  type GoStruct,
  type GoType,
  type Scalar,
} from './types.ts';
export { normalizeStruct } from './normalize.ts';
export { parseQuantity, quantityValue, QUANTITY_FORMAT_WRONG } from './quantity.ts';
export { formatTime, parseMicroTime, parseTime } from './timestamp.ts';
export { snapshotCrds } from './snapshot-crds.ts';
