import { objectsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { invalid, notSupported, required, type FieldError } from '../field-error.ts';
import { validateLabels } from './names.ts';
import { stringAt } from './rule.ts';

const WANTED = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'];

function validateToleration(toleration: JsonObject, field: string): FieldError[] {
  const operator = stringAt(toleration, 'operator');
  const value = stringAt(toleration, 'value');
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  if (stringAt(toleration, 'key') === '' && operator !== 'Exists') return [invalid(`${field}.operator`, operator, all)];
  if (operator === 'Exists' && value !== '') {
    return [invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'")];
  }
  const isKnown = ['', 'Equal', 'Exists', 'Lt', 'Gt'].includes(operator);
  return isKnown ? [] : [notSupported(`${field}.operator`, operator, ['Equal', 'Exists'])];
}

/** Where a pod may run. */
export function validatePlacement(spec: JsonObject, field: string): FieldError[] {
  const wanted = valueAt(spec, ...WANTED);
  const hasTerms = wanted === undefined || objectsAt(wanted, 'nodeSelectorTerms').length > 0;
  return [
    ...validateLabels(spec['nodeSelector'], `${field}.nodeSelector`),
    ...(hasTerms
      ? []
      : [required(`${field}.${WANTED.join('.')}.nodeSelectorTerms`, 'must have at least one node selector term')]),
    ...objectsAt(spec, 'tolerations').flatMap((toleration, index) =>
      validateToleration(toleration, `${field}.tolerations[${index}]`),
    ),
  ];
}
