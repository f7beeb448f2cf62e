import { isObject, objectAt, type Json } from '../../../../base/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { text, wide, type Column } from '../column.ts';

export const NONE = '<none>';

export function orNone(value: string): string {
  return value === '' ? NONE : value;
}

export function sizeOf(object: Readonly<ApiObject>, ...path: readonly string[]): number {
  return Object.keys(objectAt(object, ...path)).length;
}

/** `a=b,c=d`, sorted; `<none>` without labels. */
export function formatLabels(labels: Json | undefined): string {
  const pairs = Object.entries(objectAt(labels)).map(([key, value]) => `${key}=${scalarTextAt(value)}`);
  return orNone(pairs.sort().join(','));
}

/** A LabelSelector as its query text; `empty` is what stands for one that says nothing. */
export function formatSelector(selector: Json | undefined, empty: string): string {
  const parts = Object.entries(objectAt(selector, 'matchLabels')).map(
    ([key, value]) => `${key}=${scalarTextAt(value)}`,
  );
  for (const requirement of listAt(selector, 'matchExpressions').filter(isObject)) {
    const key = scalarTextAt(requirement, 'key');
    const values = listAt(requirement, 'values').map(String).sort().join(',');
    const operator = scalarTextAt(requirement, 'operator');
    if (operator === 'Exists') parts.push(key);
    else if (operator === 'DoesNotExist') parts.push(`!${key}`);
    else parts.push(`${key} ${operator.toLowerCase()} (${values})`);
  }
  return parts.length === 0 ? empty : parts.sort().join(',');
}

/** The first three, and how many more there are. */
export function firstThree(list: readonly string[]): string {
  const shown = list.slice(0, 3).join(',');
  return list.length > 3 ? `${shown} + ${list.length - 3} more...` : orNone(shown);
}

/** Names and images of the containers of a pod template. */
export function templateColumns(...path: readonly string[]): Column[] {
  const ofContainers = (object: Readonly<ApiObject>, field: string): string =>
    listAt(object, ...path, 'spec', 'containers')
      .map((container) => scalarTextAt(container, field))
      .join(',');
  return [
    wide(text('Containers', (object) => ofContainers(object, 'name'))),
    wide(text('Images', (object) => ofContainers(object, 'image'))),
  ];
}

export function hasCondition(object: Readonly<ApiObject>, type: string): boolean {
  return listAt(object, 'status', 'conditions').some(
    (condition) => scalarTextAt(condition, 'type') === type && scalarTextAt(condition, 'status') === 'True',
  );
}
