import { isObject, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, notSupported, required, type FieldError } from '../field-error.ts';
import { stringAt } from './rule.ts';

const MUST_BE_TYPED = {
  root: 'must not be empty at the root',
  properties: 'must not be empty for specified object fields',
  items: 'must not be empty for specified array items',
  additionalProperties: 'must not be empty for specified object fields',
} as const;

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const DEEPEST = 100;

/** Deeper levels are as good as unknown: no client writes such a schema by hand. */
export function schemaErrors(schema: JsonObject, field: string): FieldError[] {
  const errors = levelErrors(schema, { field, place: 'root', depth: 0 });
  const metadata = isObject(schema['properties']) ? schema['properties']['metadata'] : undefined;
  return [...errors, ...metadataErrors(metadata, `${field}.properties[metadata]`)];
}

interface Level {
  field: string;
  place: keyof typeof MUST_BE_TYPED;
  depth: number;
}

function levelErrors(schema: JsonObject, level: Level): FieldError[] {
  if (level.depth > DEEPEST) return [];
  const depth = level.depth + 1;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const inner = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property)
      ? levelErrors(property, { field: `${level.field}.properties[${name}]`, place: 'properties', depth })
      : [],
  );
  const lists = (['items', 'additionalProperties'] as const).flatMap((key) => {
    const below = schema[key];
    return isObject(below) ? levelErrors(below, { field: `${level.field}.${key}`, place: key, depth }) : [];
  });
  return [...ownErrors(schema, level), ...inner, ...lists];
}

/** Every level needs a type, unless it says that anything goes: what has none cannot be pruned or defaulted. */
function typeErrors(schema: JsonObject, { field, place }: Level): FieldError[] {
  const type = stringAt(schema, 'type');
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '') return isOpen ? [] : [required(`${field}.type`, MUST_BE_TYPED[place])];
  return TYPES.includes(type) ? [] : [notSupported(`${field}.type`, type, TYPES)];
}

/** What JSON Schema has and a structural one may not. */
function ownErrors(schema: JsonObject, level: Level): FieldError[] {
  const { field } = level;
  if (stringAt(schema, '$ref') !== '') return [forbidden(`${field}.$ref`, '$ref is not supported')];
  const hasProperties = isObject(schema['properties']) && Object.keys(schema['properties']).length > 0;
  const additional = schema['additionalProperties'];
  const isListOfNothing = schema['type'] === 'array' && !isObject(schema['items']);
  return [
    ...typeErrors(schema, level),
    ...(schema['uniqueItems'] === true
      ? [
          forbidden(
            `${field}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(hasProperties && additional !== undefined && additional !== false
      ? [forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')]
      : []),
    ...(isListOfNothing ? [required(`${field}.items`, 'must be specified')] : []),
  ];
}

/** The server knows metadata itself; a schema may only narrow the names. */
function metadataErrors(metadata: Json | undefined, field: string): FieldError[] {
  const properties = isObject(metadata) && isObject(metadata['properties']) ? Object.keys(metadata['properties']) : [];
  const isNarrow = properties.every((name) => name === 'name' || name === 'generateName');
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return isNarrow ? [] : [forbidden(field, detail)];
}
