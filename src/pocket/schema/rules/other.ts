import { isObject, objectsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { validateLabelSelector } from './label-selector.ts';
import {
  immutable,
  intOrPercent,
  isUnchanged,
  nonNegative,
  notBeyondAll,
  notOneOf,
  oneOf,
  stringAt,
  type Rule,
} from './rule.ts';

export const roleRule: Rule = (object) =>
  objectsAt(object, 'rules').flatMap((rule, index) => {
    const isEmpty = (key: string): boolean => !Array.isArray(rule[key]) || rule[key].length === 0;
    const field = `rules[${index}]`;
    const verbs = isEmpty('verbs') ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : [];
    if (!isEmpty('nonResourceURLs')) return verbs;
    return [
      ...verbs,
      ...(isEmpty('apiGroups')
        ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
        : []),
      ...(isEmpty('resources')
        ? [required(`${field}.resources`, 'resource rules must supply at least one resource')]
        : []),
    ];
  });

function validateSubject(subject: JsonObject, field: string, isNamespaced: boolean): FieldError[] {
  const needsNamespace = subject['kind'] === 'ServiceAccount' && !isNamespaced && stringAt(subject, 'namespace') === '';
  return [
    ...(stringAt(subject, 'name') === '' ? [required(`${field}.name`)] : []),
    ...oneOf(subject['kind'], `${field}.kind`, ['ServiceAccount', 'User', 'Group']),
    ...(needsNamespace ? [required(`${field}.namespace`)] : []),
  ];
}

/** Upstream shows its internal type. */
function internalRoleRef(object: JsonObject): JsonObject {
  const show = (key: string): string => stringAt(object, 'roleRef', key);
  return { APIGroup: show('apiGroup'), Kind: show('kind'), Name: show('name') };
}

export const roleBindingRule: Rule = (object, old) => {
  const isNamespaced = object['kind'] === 'RoleBinding';
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...oneOf(valueAt(object, 'roleRef', 'kind'), 'roleRef.kind', kinds),
    ...(stringAt(object, 'roleRef', 'name') === '' ? [required('roleRef.name')] : []),
    ...objectsAt(object, 'subjects').flatMap((subject, index) =>
      validateSubject(subject, `subjects[${index}]`, isNamespaced),
    ),
    ...(old && !isUnchanged(object['roleRef'], old['roleRef'])
      ? [invalid('roleRef', internalRoleRef(object), 'cannot change roleRef')]
      : []),
  ];
};

export const priorityClassRule: Rule = (object, old) =>
  old
    ? [
        ...immutable(object, old, ['value']).map(() => forbidden('value', 'may not be changed in an update.')),
        ...immutable(object, old, ['preemptionPolicy']),
      ]
    : newPriorityClass(object);

const HIGHEST_PRIORITY = 1_000_000_000;
const SYSTEM_CLASSES = new Set(['system-cluster-critical', 'system-node-critical']);

function newPriorityClass(object: JsonObject): FieldError[] {
  const name = stringAt(object, 'metadata', 'name');
  const value = object['value'];
  if (SYSTEM_CLASSES.has(name)) return [];
  const reserved =
    "priority class names with 'system-' prefix are reserved for system use only. error: " +
    `${name} is not a known system priority class`;
  return [
    ...(name.startsWith('system-') ? [forbidden('metadata.name', reserved)] : []),
    ...(typeof value === 'number' && value > HIGHEST_PRIORITY && !name.startsWith('system-')
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`)]
      : []),
    ...notOneOf(object['preemptionPolicy'], 'preemptionPolicy', ['PreemptLowerPriority', 'Never']),
  ];
}

export const leaseRule: Rule = (object) => {
  const seconds = valueAt(object, 'spec', 'leaseDurationSeconds');
  return [
    ...(typeof seconds === 'number' && seconds <= 0
      ? [invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...nonNegative(valueAt(object, 'spec', 'leaseTransitions'), 'spec.leaseTransitions'),
  ];
};

/** Upstream shows its internal type. */
function internalSpec(spec: JsonObject): JsonObject {
  return {
    MinAvailable: spec['minAvailable'] ?? null,
    Selector: spec['selector'] ?? null,
    MaxUnavailable: spec['maxUnavailable'] ?? null,
    UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
  };
}

export const budgetRule: Rule = (object) => {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const both = 'minAvailable and maxUnavailable cannot be both set';
  return [
    ...(spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined
      ? [invalid('spec', internalSpec(spec), both)]
      : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((key) => [
      ...intOrPercent(spec[key] ?? 0, `spec.${key}`),
      ...notBeyondAll(spec[key], `spec.${key}`),
    ]),
    ...validateLabelSelector(spec['selector'], 'spec.selector'),
    ...notOneOf(spec['unhealthyPodEvictionPolicy'], 'spec.unhealthyPodEvictionPolicy', [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
};

export const autoscalerRule: Rule = (object) => {
  const max = valueAt(object, 'spec', 'maxReplicas');
  const min = valueAt(object, 'spec', 'minReplicas');
  const target = isObject(valueAt(object, 'spec', 'scaleTargetRef')) ? valueAt(object, 'spec', 'scaleTargetRef') : {};
  return [
    ...(typeof min === 'number' && min < 1
      ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')]
      : []),
    ...(typeof max === 'number' && max < 1 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(typeof max === 'number' && typeof min === 'number' && max < min
      ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...['kind', 'name']
      .filter((key) => stringAt(target, key) === '')
      .map((key) => required(`spec.scaleTargetRef.${key}`)),
    ...(stringAt(target, 'apiVersion') === ''
      ? [invalid('spec.scaleTargetRef.apiVersion', '', 'apiVersion must specify API group')]
      : []),
  ];
};

/** An event stands where the object is that it tells of; those of cluster-scoped objects stand in `default`. */
export const eventRule: Rule = (object) => {
  const about = stringAt(object, 'involvedObject', 'namespace');
  const isThere = stringAt(object, 'metadata', 'namespace') === (about === '' ? 'default' : about);
  return isThere ? [] : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
};

/** Kinds of which a part is written once. */
export const fixedParts =
  (...parts: string[][]): Rule =>
  (object, old) =>
    parts.flatMap((keys) => immutable(object, old, keys));
