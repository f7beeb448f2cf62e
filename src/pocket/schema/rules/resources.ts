import { isObject, objectAt, type Json, type JsonObject } from '../../../base/index.ts';
import { quantityValue } from '../../builtins/index.ts';
import { invalid, type FieldError } from '../field-error.ts';
import { qualifiedName } from './names.ts';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);
const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
/** Every other one is counted in whole pieces, which must be asked for as they are limited. */
const isOvercommittable = (name: string): boolean => STANDARD.has(name);

function amountOf(value: Json | undefined): number {
  return typeof value === 'string' ? (quantityValue(value) ?? 0) : 0;
}

function validateName(name: string, field: string): FieldError[] {
  const wrong = qualifiedName(name);
  if (wrong.length > 0) return wrong.map((error) => invalid(field, name, error));
  if (name.includes('/') || STANDARD.has(name) || isHugePages(name)) return [];
  return [
    invalid(field, name, 'must be a standard resource type or fully qualified'),
    invalid(field, name, 'must be a standard resource for containers'),
  ];
}

function validateList(list: JsonObject, field: string): FieldError[] {
  return Object.entries(list).flatMap(([name, amount]) => {
    const path = `${field}[${name}]`;
    const isNegative = amountOf(amount) < 0;
    return [
      ...validateName(name, path),
      ...(isNegative ? [invalid(path, amount ?? null, 'must be greater than or equal to 0')] : []),
    ];
  });
}

/** What a container asks for: known names, nothing negative, and never more than its limits. */
export function validateResources(resources: Json | undefined, field: string): FieldError[] {
  if (!isObject(resources)) return [];
  const limits = objectAt(resources, 'limits');
  const requests = objectAt(resources, 'requests');
  const exceeding = Object.entries(requests).flatMap(([name, amount = null]) => {
    const limit = limits[name];
    if (typeof limit !== 'string' || typeof amount !== 'string') return [];
    if (amountOf(amount) !== amountOf(limit) && !isOvercommittable(name)) {
      return [invalid(`${field}.requests`, amount, `must be equal to ${name} limit of ${limit}`)];
    }
    const isMore = amountOf(amount) > amountOf(limit);
    return isMore
      ? [invalid(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`)]
      : [];
  });
  return [...validateList(limits, `${field}.limits`), ...validateList(requests, `${field}.requests`), ...exceeding];
}
