import { isObject, type Json, type JsonObject } from '../../../base/index.ts';
import { stringAt } from './rule.ts';
import { forbidden, invalid, required, tooLong, type FieldError } from '../field-error.ts';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_TEXT =
  "must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const LABEL_PATTERN = new RegExp(`^${LABEL}$`);
const SUBDOMAIN_PATTERN = new RegExp(`^${LABEL}(\\.${LABEL})*$`);
const DNS_1035_PATTERN = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_PATTERN = new RegExp(`^${QUALIFIED}$`);
const LABEL_VALUE_PATTERN = new RegExp(`^(${QUALIFIED})?$`);

/** What is wrong with a text; empty when it is good. */
export type NameRule = (name: string) => string[];

function atMost(name: string, max: number, unit = 'characters'): string[] {
  return name.length > max ? [`must be no more than ${max} ${unit}`] : [];
}

export const subdomain: NameRule = (name) => [
  ...atMost(name, 253),
  ...(SUBDOMAIN_PATTERN.test(name)
    ? []
    : [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
          "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
          `'${LABEL}(\\.${LABEL})*')`,
      ]),
];

export const wildcardSubdomain: NameRule = (name) =>
  name.startsWith('*.') && SUBDOMAIN_PATTERN.test(name.slice(2))
    ? []
    : [
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
          "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. " +
          `'*.example.com', regex used for validation is '\\*\\.${LABEL}(\\.${LABEL})*')`,
      ];

export const dnsLabel: NameRule = (name) => {
  const length = atMost(name, 63);
  if (LABEL_PATTERN.test(name)) return length;
  if (SUBDOMAIN_PATTERN.test(name)) return [...length, 'must not contain dots'];
  const example = `(e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
  return [...length, `a lowercase RFC 1123 label ${LABEL_TEXT} ${example}`];
};

export const dns1035Label: NameRule = (name) => [
  ...atMost(name, 63),
  ...(DNS_1035_PATTERN.test(name)
    ? []
    : [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
          "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for " +
          "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ]),
];

export const pathSegment: NameRule = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

export const qualifiedName: NameRule = (text) => {
  const parts = text.split('/');
  const name = parts.at(-1) ?? '';
  const wrongShape =
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
    `'${QUALIFIED}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  if (parts.length > 2) return [wrongShape];
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const prefixErrors =
    prefix === undefined
      ? []
      : prefix === ''
        ? ['prefix part must be non-empty']
        : subdomain(prefix).map((error) => `prefix part ${error}`);
  const nameErrors = [
    ...(name === '' ? ['name part must be non-empty'] : atMost(name, 63, 'bytes').map((error) => `name part ${error}`)),
    ...(QUALIFIED_PATTERN.test(name)
      ? []
      : [
          "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
            "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
            `'${QUALIFIED}')`,
        ]),
  ];
  return [...prefixErrors, ...nameErrors];
};

export const labelValue: NameRule = (value) => [
  ...atMost(value, 63, 'bytes'),
  ...(LABEL_VALUE_PATTERN.test(value)
    ? []
    : [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start " +
          "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for " +
          `validation is '(${QUALIFIED})?')`,
      ]),
];

export function validateLabels(labels: Json | undefined, field: string): FieldError[] {
  if (!isObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedName(key).map((error) => invalid(field, key, error)),
    ...(typeof value === 'string' ? labelValue(value).map((error) => invalid(field, value, error)) : []),
  ]);
}

const MAX_ANNOTATION_BYTES = 256 * 1024;

function validateAnnotations(annotations: Json | undefined): FieldError[] {
  if (!isObject(annotations)) return [];
  const field = 'metadata.annotations';
  let size = 0;
  const errors = Object.entries(annotations).flatMap(([key, value]) => {
    size += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
    return qualifiedName(key.toLowerCase()).map((error) => invalid(field, key, error));
  });
  return size > MAX_ANNOTATION_BYTES ? [...errors, tooLong(field, MAX_ANNOTATION_BYTES)] : errors;
}

function validateOwners(owners: Json | undefined): FieldError[] {
  if (!Array.isArray(owners)) return [];
  const list = owners.filter(isObject);
  const field = 'metadata.ownerReferences';
  const missing = list.flatMap((owner) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((key) => owner[key] === undefined || owner[key] === '')
      .map((key) => invalid(`${field}.${key}`, '', `${key === 'apiVersion' ? 'version ' : ''}must not be empty`)),
  );
  const controllers = list
    .filter((owner) => owner['controller'] === true)
    .map((owner) => `${stringAt(owner, 'kind')}/${stringAt(owner, 'name')}`);
  if (controllers.length < 2) return missing;
  const found = `Found "true" in references for ${controllers[0] ?? ''} and ${controllers[1] ?? ''}`;
  return [...missing, invalid(field, list, `Only one reference can have Controller set to true. ${found}`)];
}

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const UNQUALIFIED = 'name is neither a standard finalizer name nor is it fully qualified';

/** Built-in kinds want a domain in front of every finalizer that Kubernetes does not know. */
function validateFinalizers(finalizers: Json | undefined, mustBeQualified: boolean): FieldError[] {
  if (!Array.isArray(finalizers)) return [];
  const field = 'metadata.finalizers';
  const names = finalizers.filter((name) => typeof name === 'string');
  const isUnqualified = (name: string): boolean => !name.includes('/') && !STANDARD_FINALIZERS.has(name);
  return [
    ...names.flatMap((name) => qualifiedName(name).map((error) => invalid(field, name, error))),
    ...names.flatMap((name, index) =>
      mustBeQualified && isUnqualified(name) ? [invalid(`${field}[${index}]`, name, UNQUALIFIED)] : [],
    ),
  ];
}

function validateName(metadata: JsonObject, rule: NameRule): FieldError[] {
  const { name, generateName } = metadata;
  if (typeof name === 'string' && name !== '') return rule(name).map((error) => invalid('metadata.name', name, error));
  if (typeof generateName === 'string' && generateName !== '') {
    // What is appended starts with a letter, so that a trailing dash or dot is fine.
    return rule(generateName.replace(/[-.]$/, 'a')).map((error) =>
      invalid('metadata.generateName', generateName, error),
    );
  }
  return [required('metadata.name', 'name or generateName is required')];
}

export interface MetadataRules {
  namespaced: boolean;
  name: NameRule;
  isCustom?: boolean;
}

/** The rules of metadata that hold for every kind, custom ones included. */
export function validateMetadata(object: JsonObject, options: MetadataRules): FieldError[] {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const { namespace } = metadata;
  const hasNamespace = typeof namespace === 'string' && namespace !== '';
  return [
    ...validateName(metadata, options.name),
    ...(options.namespaced && !hasNamespace ? [required('metadata.namespace')] : []),
    ...(!options.namespaced && hasNamespace ? [forbidden('metadata.namespace', 'not allowed on this type')] : []),
    ...(options.namespaced && hasNamespace
      ? dnsLabel(namespace).map((error) => invalid('metadata.namespace', namespace, error))
      : []),
    ...validateLabels(metadata['labels'], 'metadata.labels'),
    ...validateAnnotations(metadata['annotations']),
    ...validateOwners(metadata['ownerReferences']),
    ...validateFinalizers(metadata['finalizers'], options.isCustom !== true),
  ];
}
