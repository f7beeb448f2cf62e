import { isObject, objectsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { dns1035Label } from './names.ts';
import { immutable, oneOf, stringAt, type Rule } from './rule.ts';

function validateNames(object: JsonObject): FieldError[] {
  const plural = stringAt(object, 'spec', 'names', 'plural');
  const kind = stringAt(object, 'spec', 'names', 'kind');
  const field = 'spec.names';
  return [
    ...(plural === ''
      ? [required(`${field}.plural`)]
      : dns1035Label(plural).map((error) => invalid(`${field}.plural`, plural, error))),
    ...(kind === ''
      ? [required(`${field}.kind`)]
      : dns1035Label(kind.toLowerCase()).map((error) =>
          invalid(`${field}.kind`, kind, `may have mixed case, but should otherwise match: ${error}`),
        )),
  ];
}

const MUST_BE_TYPED = {
  root: 'must not be empty at the root',
  properties: 'must not be empty for specified object fields',
  items: 'must not be empty for specified array items',
  additionalProperties: 'must not be empty for specified object fields',
} as const;

/** Every level needs a type, unless it says that anything goes: what has none cannot be pruned or defaulted. */
function typeErrors(schema: JsonObject, field: string, place: keyof typeof MUST_BE_TYPED, depth = 0): FieldError[] {
  if (depth > 100) return [];
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const errors = stringAt(schema, 'type') === '' && !isOpen ? [required(`${field}.type`, MUST_BE_TYPED[place])] : [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, property] of Object.entries(properties)) {
    const at = `${field}.properties[${name}]`;
    if (isObject(property)) errors.push(...typeErrors(property, at, 'properties', depth + 1));
  }
  for (const key of ['items', 'additionalProperties'] as const) {
    const inner = schema[key];
    if (isObject(inner)) errors.push(...typeErrors(inner, `${field}.${key}`, key, depth + 1));
  }
  return errors;
}

function validateVersions(object: JsonObject): FieldError[] {
  const versions = objectsAt(object, 'spec', 'versions');
  const shown = valueAt(object, 'spec', 'versions') ?? null;
  const storage = versions.filter((version) => version['storage'] === true);
  const names = new Set(versions.map((version) => stringAt(version, 'name')));
  const schemas = versions.flatMap((version, index) => {
    // Upstream moves the schema of a single version to the top.
    const place = versions.length === 1 ? 'spec.validation' : `spec.versions[${index}].schema`;
    const schema = valueAt(version, 'schema', 'openAPIV3Schema');
    return isObject(schema)
      ? typeErrors(schema, `${place}.openAPIV3Schema`, 'root')
      : [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
  });
  return [
    ...(storage.length === 1
      ? []
      : [invalid('spec.versions', shown, 'must have exactly one version marked as storage version')]),
    ...(names.size === versions.length ? [] : [invalid('spec.versions', shown, 'must contain unique version names')]),
    ...schemas,
  ];
}

export const definitionRule: Rule = (object, old) => {
  const group = stringAt(object, 'spec', 'group');
  const isDotted = group.split('.').length >= 2;
  const fixed = [
    ['spec', 'group'],
    ['spec', 'scope'],
    ['spec', 'names', 'plural'],
    ['spec', 'names', 'kind'],
  ];
  const preserve = valueAt(object, 'spec', 'preserveUnknownFields') === true;
  return [
    ...(group === ''
      ? [required('spec.group')]
      : isDotted
        ? []
        : [invalid('spec.group', group, 'should be a domain with at least one dot')]),
    ...oneOf(valueAt(object, 'spec', 'scope'), 'spec.scope', ['Cluster', 'Namespaced']),
    ...validateNames(object),
    ...validateVersions(object),
    ...(preserve ? [forbidden('spec.preserveUnknownFields', 'must be false')] : []),
    ...fixed.flatMap((keys) => immutable(object, old, keys)),
  ];
};
