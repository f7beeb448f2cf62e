import type { LabelSelector } from '../../api/index.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/** Whether labels match a selector; an empty selector matches everything. */
export function matchesSelector(selector: LabelSelector, labels: Labels): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return equal && (selector.matchExpressions ?? []).every((requirement) => holds(requirement, labels));
}

function holds({ key, operator, values = [] }: Requirement, labels: Labels): boolean {
  // A label may have the name of something every object has, such as `constructor`.
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'Exists') return value !== undefined;
  return operator === 'DoesNotExist' && value === undefined;
}

/** As used in the query of a LIST; empty for a selector that matches everything. */
export function formatSelector(selector: LabelSelector): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const others = (selector.matchExpressions ?? []).map(formatRequirement);
  return [...equal.toSorted(), ...others.toSorted()].join(',');
}

function formatRequirement({ key, operator, values = [] }: Requirement): string {
  if (operator === 'In') return `${key} in (${values.toSorted().join(',')})`;
  if (operator === 'NotIn') return `${key} notin (${values.toSorted().join(',')})`;
  return operator === 'Exists' ? key : `!${key}`;
}

/** What the API server would refuse in a selector. */
export function selectorProblems(selector: LabelSelector): string[] {
  return (selector.matchExpressions ?? []).flatMap(({ key, operator, values = [] }) => {
    if (operator === 'In' || operator === 'NotIn') {
      return values.length > 0 ? [] : [`the selector of label "${key}" has ${operator} without values`];
    }
    if (operator !== 'Exists' && operator !== 'DoesNotExist') {
      return [`the selector of label "${key}" has "${operator}", expected In, NotIn, Exists or DoesNotExist`];
    }
    return values.length === 0 ? [] : [`the selector of label "${key}" has ${operator} with values`];
  });
}
