import { isEqual, isObject, own, stringifyJson, type Json, type JsonObject } from '../../base/index.ts';
import { invalid, notSupported, required, tooLong, tooMany, typeInvalid, type FieldError } from './field-error.ts';
import { matchesFormat } from './formats.ts';
import type { SchemaNode } from './node.ts';

/** Where a message has no field of its own: upstream prints its nil path. */
const NO_FIELD = '<nil>';

type Add = (error: FieldError) => void;

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return 'integer';
  return typeof value;
}

/** Upstream writes paths from the root with a leading dot in some places and trims it in the field. */
const fieldOf = (path: string): string => (path === '' ? NO_FIELD : path.replace(/^\./, ''));
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/**
 * Collects what is wrong with the value, in the words of the real server. What did not change from `old` is not judged
 * again, so that a stricter schema does not lock existing objects.
 */
export function validateValue(node: SchemaNode, value: Json, path: string, old?: Json): FieldError[] {
  const errors: FieldError[] = [];
  check(node, value, path, { old, add: (error) => errors.push(error) });
  return errors;
}

interface Context {
  old: Json | undefined;
  add: Add;
}

function check(node: SchemaNode, value: Json, path: string, { old, add }: Context): void {
  if (old !== undefined && isEqual(value, old)) return;
  checkType(node, value, path, add);
  if (value !== null) {
    checkAlternatives(node, value, path, add);
    if (typeof value === 'string') checkString(node, value, path, add);
    if (typeof value === 'number' || typeof value === 'bigint') checkNumber(node, value, path, add);
    if (Array.isArray(value)) checkList(node, value, path, { old, add });
  }
  checkEnum(node, value, path, add);
  if (isObject(value)) checkObject(node, value, path, { old, add });
}

/** What upstream calls the format of a Go value; it stands in messages about values that have a format. */
const GO_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

function isOfType(node: SchemaNode, type: string): boolean {
  const { types } = node;
  if (types.length === 0 || types.includes(type)) return true;
  if (type === 'null') return node.nullable;
  if (type === 'integer') return types.includes('number');
  // Upstream takes a list for anything that has a string format.
  return node.format !== '' && (type === 'string' || type === 'array') && !isNumeric(node);
}

const isNumeric = ({ types }: SchemaNode): boolean => types.includes('integer') || types.includes('number');

function checkType(node: SchemaNode, value: Json, path: string, add: Add): void {
  const type = typeOf(value);
  if (isOfType(node, type)) return;
  const usesFormat = node.format !== '' && !['string', 'array', 'null'].includes(type);
  const wanted = usesFormat ? node.format : node.types.join(',');
  const shown = usesFormat ? (GO_FORMATS[type] ?? '') : type;
  add(typeInvalid(fieldOf(path), shown, `${path} in body must be of type ${wanted}: "${shown}"`));
}

function checkEnum(node: SchemaNode, value: Json, path: string, add: Add): void {
  if (!node.enum || node.enum.length === 0 || node.enum.some((allowed) => isEqual(allowed, value))) return;
  if (value === null && node.nullable) return;
  const words = node.enum.map((allowed) => (typeof allowed === 'string' ? allowed : stringifyJson(allowed)));
  add(notSupported(fieldOf(path), value, words));
}

/** Characters as Go counts them: a pair of surrogates is one. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function checkString(node: SchemaNode, value: string, path: string, add: Add): void {
  const { maxLength, minLength } = node.limits;
  const length = maxLength === undefined && minLength === undefined ? 0 : countCharacters(value);
  const { pattern, format } = node;
  if (maxLength !== undefined && length > maxLength) add(tooLong(fieldOf(path), maxLength));
  else if (minLength !== undefined && length < minLength) {
    add(invalid(fieldOf(path), value, `${path} in body should be at least ${minLength} chars long`));
  } else if (pattern && pattern.expression?.test(value) !== true) {
    add(invalid(fieldOf(path), value, `${path} in body should match '${pattern.source}'`));
  }
  if (format !== '' && !isNumeric(node) && !matchesFormat(format, value)) {
    add(typeInvalid(fieldOf(path), value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`));
  }
}

function fitsInteger(value: number | bigint, format: string): boolean {
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  // Compared as it is: the largest int64 would round up to the limit.
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= -limit && value < limit;
}

function checkNumber(node: SchemaNode, exact: number | bigint, path: string, add: Add): void {
  const value = Number(exact);
  const { maximum, minimum, multipleOf } = node.limits;
  const wrong = (rule: string): void => {
    add(invalid(fieldOf(path), value, `${path} in body should be ${rule}`));
  };
  if (node.types.length === 1 && node.types[0] === 'integer' && !fitsInteger(exact, node.format)) {
    const format = node.format === '' ? '(default format)' : `with format ${node.format}`;
    add(invalid(NO_FIELD, '', `Checked value must be of type integer ${format} in ${path}`));
  }
  if (multipleOf !== undefined && multipleOf > 0 && !Number.isInteger(value / multipleOf)) {
    wrong(`a multiple of ${multipleOf}`);
  }
  const { exclusiveMinimum, exclusiveMaximum } = node;
  if (minimum !== undefined && isBelow(value, minimum, exclusiveMinimum)) {
    wrong(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }
  if (maximum !== undefined && isBelow(-value, -maximum, exclusiveMaximum)) {
    wrong(`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }
}

function isBelow(value: number, limit: number, isExclusive: boolean): boolean {
  return isExclusive ? value <= limit : value < limit;
}

/** The old elements by their keys; lists without keys are judged as a whole. */
function oldElements(node: SchemaNode, old: Json | undefined): (item: Json) => Json | undefined {
  if (node.listType !== 'map' || !Array.isArray(old)) return () => undefined;
  const keyOf = (item: Json): string =>
    JSON.stringify(
      node.listKeys.map((key) => (isObject(item) ? (own(item, key) ?? null) : null)),
      (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
  const byKey = new Map(old.map((item) => [keyOf(item), item]));
  return (item) => byKey.get(keyOf(item));
}

function checkList(node: SchemaNode, value: Json[], path: string, { old, add }: Context): void {
  if (node.items) {
    const oldOf = oldElements(node, old);
    for (const [index, item] of value.entries()) {
      check(node.items, item, `${path}[${index}]`, { old: oldOf(item), add });
    }
  }
  const { minItems, maxItems } = node.limits;
  if (minItems !== undefined && value.length < minItems) {
    add(invalid(fieldOf(path), value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) add(tooMany(fieldOf(path), value.length, maxItems));
}

function checkObject(node: SchemaNode, value: JsonObject, path: string, { old, add }: Context): void {
  const keys = Object.keys(value);
  const { minProperties, maxProperties } = node.limits;
  if (minProperties !== undefined && keys.length < minProperties) {
    add(invalid(fieldOf(path), keys.length, `${path} in body should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && keys.length > maxProperties)
    add(tooMany(fieldOf(path), keys.length, maxProperties));
  for (const key of keys) {
    const child = node.properties.get(key) ?? node.additional;
    const oldChild = isObject(old) ? own(old, key) : undefined;
    if (typeof child === 'object') check(child, value[key] ?? null, join(path, key), { old: oldChild, add });
    else if (child === false) add(invalid(fieldOf(path), key, `${path}.${key} in body is a forbidden property`));
  }
  for (const key of node.required) {
    if (!Object.hasOwn(value, key)) add(required(fieldOf(`${path}.${key}`)));
  }
}

/** anyOf, oneOf, allOf and not: the composite message, then what the best alternative complains of. */
function checkAlternatives(node: SchemaNode, value: Json, path: string, add: Add): void {
  const quoted = JSON.stringify(path);
  const composite = (text: string): void => {
    add(invalid(NO_FIELD, '', `${quoted} ${text}`));
  };
  const best = (nodes: readonly SchemaNode[]): { valid: number; errors: FieldError[] } => {
    const results = nodes.map((alternative) => validateValue(alternative, value, path));
    const valid = results.filter((errors) => errors.length === 0).length;
    return { valid, errors: results.reduce((a, b) => (b.length < a.length ? b : a), results[0] ?? []) };
  };
  if (node.anyOf.length > 0) {
    const { valid, errors } = best(node.anyOf);
    if (valid === 0) {
      composite('must validate at least one schema (anyOf)');
      errors.forEach(add);
    }
  }
  if (node.oneOf.length > 0) {
    const { valid, errors } = best(node.oneOf);
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      composite(`must validate one and only one schema (oneOf). ${found}`);
      if (valid === 0) errors.forEach(add);
    }
  }
  const failed = node.allOf.map((part) => validateValue(part, value, path)).filter((errors) => errors.length > 0);
  failed.flat().forEach(add);
  if (failed.length > 0) {
    composite(`must validate all the schemas (allOf)${failed.length === node.allOf.length ? '. None validated' : ''}`);
  }
  if (node.not && validateValue(node.not, value, path).length === 0) composite('must not validate the schema (not)');
}
