import { isObject, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '../field-error.ts';
import { intOrPercent, nonNegative, notBeyondAll, notOneOf, stringAt } from './rule.ts';

/** Upstream shows its internal type. */
function internalStrategy(strategy: JsonObject): JsonObject {
  return { Type: strategy['type'] ?? '', RollingUpdate: strategy['rollingUpdate'] ?? null };
}

const isZero = (value: Json): boolean => value === 0 || (typeof value === 'string' && /^0+%$/.test(value));

/** A daemon set has one pod on a node, or for a moment two: not both may be allowed. */
export function daemonSetStrategy(object: JsonObject): FieldError[] {
  const strategy = valueAt(object, 'spec', 'updateStrategy');
  const type = stringAt(strategy, 'type');
  if (type === 'OnDelete' || type === '' || !isObject(strategy)) return [];
  const field = 'spec.updateStrategy';
  if (type !== 'RollingUpdate') {
    return [notSupported(field, internalStrategy(strategy), ['RollingUpdate', 'OnDelete'])];
  }
  const unavailable = valueAt(strategy, 'rollingUpdate', 'maxUnavailable') ?? 0;
  const surge = valueAt(strategy, 'rollingUpdate', 'maxSurge') ?? 0;
  const wrong = [
    ...intOrPercent(unavailable, `${field}.rollingUpdate.maxUnavailable`),
    ...intOrPercent(surge, `${field}.rollingUpdate.maxSurge`),
  ];
  if (wrong.length > 0) return wrong;
  if (isZero(unavailable) && isZero(surge)) {
    return [required(`${field}.rollingUpdate.maxUnavailable`, 'cannot be 0 when maxSurge is 0')];
  }
  return isZero(unavailable) || isZero(surge)
    ? []
    : [invalid(`${field}.rollingUpdate.maxSurge`, surge, 'may not be set when maxUnavailable is non-zero')];
}

/** How a deployment replaces its pods. */
export function validateStrategy(object: JsonObject): FieldError[] {
  const strategy = valueAt(object, 'spec', 'strategy');
  const type = stringAt(strategy, 'type');
  if (!isObject(strategy) || type === '') return [];
  const rolling = strategy['rollingUpdate'];
  const field = 'spec.strategy';
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rolling === undefined || rolling === null ? [] : [forbidden(`${field}.rollingUpdate`, detail)];
  }
  if (type !== 'RollingUpdate') {
    return [notSupported(field, internalStrategy(strategy), ['Recreate', 'RollingUpdate'])];
  }
  const unavailable = valueAt(rolling, 'maxUnavailable') ?? 0;
  const surge = valueAt(rolling, 'maxSurge') ?? 0;
  const wrong = [
    ...intOrPercent(unavailable, `${field}.rollingUpdate.maxUnavailable`),
    ...notBeyondAll(unavailable, `${field}.rollingUpdate.maxUnavailable`),
    ...intOrPercent(surge, `${field}.rollingUpdate.maxSurge`),
  ];
  // Neither one more nor one less: such a rollout could never begin.
  const stuck = invalid(`${field}.rollingUpdate.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0');
  return wrong.length === 0 && isZero(unavailable) && isZero(surge) ? [stuck] : wrong;
}

/** `OrderedReady` and so on: Go types whose message names the alternatives in prose. */
function eitherOf(
  value: Json | undefined,
  field: string,
  [first, second]: [string, string],
  shown = value,
): FieldError[] {
  const isGood = value === undefined || value === first || value === second;
  return isGood ? [] : [invalid(field, shown ?? null, `must be '${first}' or '${second}'`)];
}

export function statefulSetChoices(object: JsonObject): FieldError[] {
  const strategy = valueAt(object, 'spec', 'updateStrategy');
  const shown = isObject(strategy) ? internalStrategy(strategy) : null;
  const partition = valueAt(strategy, 'rollingUpdate', 'partition');
  const policy = valueAt(object, 'spec', 'podManagementPolicy');
  return [
    ...eitherOf(policy, 'spec.podManagementPolicy', ['OrderedReady', 'Parallel']),
    ...eitherOf(valueAt(strategy, 'type'), 'spec.updateStrategy', ['RollingUpdate', 'OnDelete'], shown),
    ...nonNegative(partition, 'spec.updateStrategy.rollingUpdate.partition'),
    ...nonNegative(valueAt(object, 'spec', 'ordinals', 'start'), 'spec.ordinals.start'),
    ...['whenDeleted', 'whenScaled'].flatMap((key) => {
      const field = `spec.persistentVolumeClaimRetentionPolicy.${key}`;
      const when = valueAt(object, 'spec', 'persistentVolumeClaimRetentionPolicy', key);
      return notOneOf(when, field, ['Retain', 'Delete']);
    }),
  ];
}
