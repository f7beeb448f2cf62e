import { isObject, objectsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { invalid, required, type FieldError } from '../field-error.ts';
import { schemaErrors } from './crd-schema.ts';
import { dns1035Label } from './names.ts';
import { immutable, notOneOf, oneOf, stringAt, textsAt, type Rule } from './rule.ts';

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
    ...textsAt(object, 'spec', 'names', 'shortNames').flatMap((name, index) =>
      dns1035Label(name).map((error) => invalid(`${field}.shortNames[${index}]`, name, error)),
    ),
  ];
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

function validateColumns(version: JsonObject, place: string): FieldError[] {
  return objectsAt(version, 'additionalPrinterColumns').flatMap((column, index) => {
    const field = `${place}.additionalPrinterColumns[${index}]`;
    const type = stringAt(column, 'type');
    const path = stringAt(column, 'jsonPath');
    const isType = COLUMN_TYPES.includes(type);
    return [
      ...(type === '' ? [required(`${field}.type`)] : []),
      ...(type === '' || isType ? [] : [invalid(`${field}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`)]),
      ...(path === '' ? [required(`${field}.JSONPath`)] : simplePath(path, `${field}.JSONPath`)),
    ];
  });
}

function simplePath(path: string, field: string): FieldError[] {
  return path.startsWith('.') ? [] : [invalid(field, path, 'must be a simple json path starting with .')];
}

/** Replicas are read below the spec, or below the status. */
function validateScale(version: JsonObject, place: string): FieldError[] {
  const scale = valueAt(version, 'subresources', 'scale');
  if (!isObject(scale)) return [];
  return (['spec', 'status'] as const).flatMap((part) => {
    const path = stringAt(scale, `${part}ReplicasPath`);
    const field = `${place}.subresources.scale.${part}ReplicasPath`;
    if (path === '') return [required(field)];
    if (!path.startsWith('.')) return simplePath(path, field);
    return path.startsWith(`.${part}.`) ? [] : [invalid(field, path, `should be a json path under .${part}`)];
  });
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
      ? schemaErrors(schema, `${place}.openAPIV3Schema`)
      : [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
  });
  return [
    ...(storage.length === 1
      ? []
      : [invalid('spec.versions', shown, 'must have exactly one version marked as storage version')]),
    ...(names.size === versions.length ? [] : [invalid('spec.versions', shown, 'must contain unique version names')]),
    ...schemas,
    ...versions.flatMap((version, index) => {
      const place = versions.length === 1 ? 'spec' : `spec.versions[${index}]`;
      return [...validateColumns(version, place), ...validateScale(version, place)];
    }),
  ];
}

/** Kubernetes keeps these groups for itself. */
function validateApproval(object: JsonObject): FieldError[] {
  const group = stringAt(object, 'spec', 'group');
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || stringAt(object, 'metadata', 'annotations', APPROVAL) !== '') return [];
  const detail =
    `protected groups must have approval annotation "${APPROVAL}", ` +
    'see https://github.com/kubernetes/enhancements/pull/1111';
  return [required(`metadata.annotations[${APPROVAL}]`, detail)];
}

const APPROVAL = 'api-approved.kubernetes.io';

const PRESERVE =
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';

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
    ...validateApproval(object),
    ...notOneOf(valueAt(object, 'spec', 'conversion', 'strategy'), 'spec.conversion.strategy', ['None', 'Webhook']),
    ...(preserve && !old ? [invalid('spec.preserveUnknownFields', true, PRESERVE)] : []),
    ...fixed.flatMap((keys) => immutable(object, old, keys)),
  ];
};
