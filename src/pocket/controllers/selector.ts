import type { LabelSelector } from './kinds/index.ts';

type Labels = Readonly<Record<string, string>>;

/** A selector that is not there matches nothing, an empty one everything. */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  const expressions = selector.matchExpressions ?? [];
  return (
    matchesLabels(selector.matchLabels ?? {}, labels) && expressions.every((one) => matchesExpression(one, labels))
  );
}

export function matchesLabels(wanted: Labels, labels: Labels = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** Node selectors know `Gt` and `Lt` as well. */
export function matchesExpression(
  expression: { key: string; operator: string; values?: readonly string[] },
  labels: Labels,
): boolean {
  const { key, operator, values = [] } = expression;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
