import { isObject, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '../field-error.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateLabels } from './names.ts';
import { validatePodSpec } from './pod.ts';
import { daemonSetStrategy, statefulSetChoices, validateStrategy } from './rollout.ts';
import { immutable, isUnchanged, nonNegative, stringAt, type Rule } from './rule.ts';

function selects(selector: JsonObject, labels: JsonObject): boolean {
  const wanted = isObject(selector['matchLabels']) ? selector['matchLabels'] : {};
  if (Object.entries(wanted).some(([key, value]) => labels[key] !== value)) return false;
  const expressions = Array.isArray(selector['matchExpressions']) ? selector['matchExpressions'].filter(isObject) : [];
  return expressions.every((expression) => {
    const key = stringAt(expression, 'key');
    const has = Object.hasOwn(labels, key);
    const values = Array.isArray(expression['values']) ? expression['values'] : [];
    const isListed = has && values.includes(labels[key] ?? null);
    switch (expression['operator']) {
      case 'In':
        return isListed;
      case 'NotIn':
        return !isListed;
      case 'Exists':
        return has;
      case 'DoesNotExist':
        return !has;
      default:
        return true;
    }
  });
}

function isEmptySelector(selector: Json | undefined): boolean {
  return isObject(selector) && Object.keys(selector).length === 0;
}

/** Upstream's text for replica sets says deployment too. */
const SELECTOR_OWNERS: Readonly<Record<string, string>> = { ReplicaSet: 'deployment' };

function validateSelector(object: JsonObject): FieldError[] {
  const selector = valueAt(object, 'spec', 'selector');
  const kind = stringAt(object, 'kind');
  if (isEmptySelector(selector)) {
    const owner = SELECTOR_OWNERS[kind] ?? kind.toLowerCase();
    return [invalid('spec.selector', {}, `empty selector is invalid for ${owner}`)];
  }
  const wrong = validateLabelSelector(selector, 'spec.selector');
  if (wrong.length > 0) return [...wrong, invalid('spec.selector', selector ?? null, 'invalid label selector')];
  return matchingTemplate(object);
}

/** What selects pods must select those it makes. */
export function matchingTemplate(object: JsonObject): FieldError[] {
  const selector = valueAt(object, 'spec', 'selector');
  const labels = valueAt(object, 'spec', 'template', 'metadata', 'labels');
  const isMatch = isObject(selector) && selects(selector, isObject(labels) ? labels : {});
  const mismatch = '`selector` does not match template `labels`';
  return [
    ...(isObject(selector) ? [] : [required('spec.selector')]),
    ...(isMatch ? [] : [invalid('spec.template.metadata.labels', labels ?? null, mismatch)]),
  ];
}

/** The pods of a stateful set may mount its claims, which are no volumes of the template. */
function withClaims(object: JsonObject, spec: JsonObject): JsonObject {
  const templates = valueAt(object, 'spec', 'volumeClaimTemplates');
  if (!Array.isArray(templates)) return spec;
  const claims = templates.map((template) => ({ name: stringAt(template, 'metadata', 'name') }));
  const names = new Set(claims.map(({ name }) => name));
  const volumes = Array.isArray(spec['volumes']) ? spec['volumes'] : [];
  return { ...spec, volumes: [...volumes.filter((volume) => !names.has(stringAt(volume, 'name'))), ...claims] };
}

/** `restartPolicies` are those that make sense for the pods of this kind. */
export function validateTemplate(object: JsonObject, restartPolicies: readonly string[]): FieldError[] {
  const spec = valueAt(object, 'spec', 'template', 'spec');
  const policy = stringAt(spec, 'restartPolicy');
  const field = 'spec.template.spec';
  return [
    ...validateLabels(valueAt(object, 'spec', 'template', 'metadata', 'labels'), 'spec.template.labels'),
    ...validatePodSpec(isObject(spec) ? withClaims(object, spec) : {}, field),
    ...(restartPolicies.includes(policy) ? [] : [notSupported(`${field}.restartPolicy`, policy, restartPolicies)]),
  ];
}

const replicated: Rule = (object) => [
  ...nonNegative(valueAt(object, 'spec', 'replicas'), 'spec.replicas'),
  ...nonNegative(valueAt(object, 'spec', 'minReadySeconds'), 'spec.minReadySeconds'),
  ...validateSelector(object),
  ...validateTemplate(object, ['Always']),
];

export const replicaSetRule: Rule = (object, old) => [
  ...replicated(object, old),
  ...immutable(object, old, ['spec', 'selector']),
];

function validateDeadlines(object: JsonObject): FieldError[] {
  const deadline = valueAt(object, 'spec', 'progressDeadlineSeconds');
  const minimum = valueAt(object, 'spec', 'minReadySeconds') ?? 0;
  const field = 'spec.progressDeadlineSeconds';
  return [
    ...nonNegative(valueAt(object, 'spec', 'revisionHistoryLimit'), 'spec.revisionHistoryLimit'),
    ...nonNegative(deadline, field),
    ...(typeof deadline === 'number' && deadline <= Number(minimum)
      ? [invalid(field, deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

export const deploymentRule: Rule = (object, old) => [
  ...replicated(object, old),
  ...validateStrategy(object),
  ...validateDeadlines(object),
  ...immutable(object, old, ['spec', 'selector']),
];

export const daemonSetRule: Rule = (object, old) => [
  ...validateSelector(object),
  ...daemonSetStrategy(object),
  ...validateTemplate(object, ['Always']),
  ...immutable(object, old, ['spec', 'selector']),
];

const STATEFUL_SET_MUTABLE = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function fixedPart(spec: Json | undefined): JsonObject {
  if (!isObject(spec)) return {};
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !STATEFUL_SET_MUTABLE.has(key)));
}

export const statefulSetRule: Rule = (object, old) => [
  ...statefulSetChoices(object),
  ...replicated(object, old),
  ...(old && !isUnchanged(fixedPart(object['spec']), fixedPart(old['spec']))
    ? [
        forbidden(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
            "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ]
    : []),
];
