import { isObject, objectsAt, type Json } from '../../../base/index.ts';
import { forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { qualifiedName, validateLabels } from './names.ts';
import { stringAt } from './rule.ts';

/** Labels and requirements by which one object selects others. */
export function validateLabelSelector(selector: Json | undefined, field: string): FieldError[] {
  if (!isObject(selector)) return [];
  const requirements = objectsAt(selector, 'matchExpressions').flatMap((term, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    const operator = stringAt(term, 'operator');
    const key = stringAt(term, 'key');
    const hasValues = Array.isArray(term['values']) && term['values'].length > 0;
    return [
      ...operatorErrors(operator, hasValues, path),
      ...qualifiedName(key).map((why) => invalid(`${path}.key`, key, why)),
    ];
  });
  return [...validateLabels(selector['matchLabels'], `${field}.matchLabels`), ...requirements];
}

function operatorErrors(operator: string, hasValues: boolean, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return hasValues ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return hasValues
        ? [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : [];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
