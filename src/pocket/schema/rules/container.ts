import { isObject, objectsAt, type JsonObject } from '../../../base/index.ts';
import { duplicate, invalid, notFound, required, type FieldError } from '../field-error.ts';
import { subdomain } from './names.ts';
import { validateProbes } from './probe.ts';
import { validateResources } from './resources.ts';
import { oneOf, portNumber, stringAt } from './rule.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** What is wrong with the name of a port. */
export function portName(name: string): string[] {
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]*$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}

function validatePorts(container: JsonObject, field: string): FieldError[] {
  const names = new Set<string>();
  return objectsAt(container, 'ports').flatMap((port, index) => {
    const path = `${field}.ports[${index}]`;
    const name = stringAt(port, 'name');
    const problems = name === '' ? [] : portName(name);
    const isTaken = names.has(name);
    if (name !== '') names.add(name);
    const number = port['containerPort'];
    const missing = number === undefined || number === 0;
    return [
      ...problems.map((problem) => invalid(`${path}.name`, name, problem)),
      ...(isTaken ? [duplicate(`${path}.name`, name)] : []),
      ...(missing ? [required(`${path}.containerPort`)] : portNumber(number, `${path}.containerPort`)),
      ...(port['hostPort'] ? portNumber(port['hostPort'], `${path}.hostPort`) : []),
      ...oneOf(port['protocol'], `${path}.protocol`, PROTOCOLS),
    ];
  });
}

const FIELD_PATHS = new Set([
  ...['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
  ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork'],
  ...['status.phase', 'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
  'status.nominatedNodeName',
]);

function validateFieldPath(from: JsonObject, field: string): FieldError[] {
  const path = stringAt(from, 'fieldRef', 'fieldPath');
  if (!isObject(from['fieldRef'])) return [];
  if (path === '') return [required(field)];
  const isKnown = FIELD_PATHS.has(path.replace(/\['[^']*'\]$/, ''));
  return isKnown ? [] : [invalid(field, path, `error converting fieldPath: field label not supported: ${path}`)];
}

const ENV_NAME = /^[\x20-\x7e]+$/;
const ENV_NAME_TEXT =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function validateValueFrom(entry: JsonObject, field: string): FieldError[] {
  const from = entry['valueFrom'];
  if (!isObject(from)) return [];
  const given = SOURCES.filter((key) => isObject(from[key]));
  const keys = ['configMapKeyRef', 'secretKeyRef'].filter((key) => isObject(from[key]));
  return [
    ...validateFieldPath(from, `${field}.fieldRef.fieldPath`),
    ...keys.flatMap((key) => {
      const name = stringAt(from, key, 'name');
      return [
        ...subdomain(name).map((why) => invalid(`${field}.${key}.name`, name, why)),
        ...(stringAt(from, key, 'key') === '' ? [required(`${field}.${key}.key`)] : []),
      ];
    }),
    ...(given.length === 0
      ? [
          invalid(
            field,
            '',
            'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
          ),
        ]
      : []),
    ...(given.length > 0 && stringAt(entry, 'value') !== ''
      ? [invalid(field, '', 'may not be specified when `value` is not empty')]
      : []),
    ...(given.length > 1 ? [invalid(field, '', 'may not have more than one field specified at a time')] : []),
  ];
}

function validateEnv(container: JsonObject, field: string): FieldError[] {
  return objectsAt(container, 'env').flatMap((entry, index) => {
    const path = `${field}.env[${index}]`;
    const name = stringAt(entry, 'name');
    const isName = ENV_NAME.test(name) && !name.includes('=');
    return [
      ...(name === '' ? [required(`${path}.name`)] : isName ? [] : [invalid(`${path}.name`, name, ENV_NAME_TEXT)]),
      ...validateValueFrom(entry, `${path}.valueFrom`),
    ];
  });
}

function validateMounts(container: JsonObject, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const taken = new Set<string>();
  return objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const path = `${field}.volumeMounts[${index}]`;
    const name = stringAt(mount, 'name');
    const at = stringAt(mount, 'mountPath');
    const isTaken = taken.has(at);
    taken.add(at);
    return [
      ...(name === '' ? [required(`${path}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${path}.name`, name)]),
      ...(at === '' ? [required(`${path}.mountPath`)] : []),
      ...(isTaken ? [invalid(`${path}.mountPath`, at, 'must be unique')] : []),
      // The real server leaves the index out here.
      ...relativePath(stringAt(mount, 'subPath'), `${field}.volumeMounts.subPath`),
    ];
  });
}

/** A path below another one. */
export function relativePath(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : []),
  ];
}

export function validateContainer(container: JsonObject, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const image = stringAt(container, 'image');
  return [
    ...(image === '' ? [required(`${field}.image`)] : []),
    ...(image !== image.trim()
      ? [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')]
      : []),
    ...validatePorts(container, field),
    ...validateEnv(container, field),
    ...validateMounts(container, field, volumes),
    ...oneOf(container['imagePullPolicy'], `${field}.imagePullPolicy`, PULL_POLICIES),
    ...validateResources(container['resources'], `${field}.resources`),
    ...validateProbes(container, field),
  ];
}
