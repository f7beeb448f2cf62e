import { InvalidArgumentError } from 'commander';
import type { LabelSelector } from '../../api/index.ts';

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

const KEY = '[A-Za-z0-9]([A-Za-z0-9_./-]*[A-Za-z0-9])?';
const VALUE = '([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?';
const EQUALS = new RegExp(`^(?<key>${KEY})\\s*(?<operator>==|=|!=)\\s*(?<value>${VALUE})$`);
const SET = new RegExp(`^(?<key>${KEY})\\s+(?<operator>in|notin)\\s*\\((?<values>[^()]*)\\)$`);
const PRESENCE = new RegExp(`^(?<not>!?)\\s*(?<key>${KEY})$`);

/** kubectl's syntax (`a=b,c!=d,e in (f,g),!h`) as the object that a spec holds. */
export function parseSelector(text: string): LabelSelector {
  const matchLabels: [string, string][] = [];
  const matchExpressions: Requirement[] = [];
  for (const part of splitOutsideParentheses(text)) {
    const requirement = parseRequirement(part);
    if (Array.isArray(requirement)) matchLabels.push(requirement);
    else matchExpressions.push(requirement);
  }
  return {
    ...(matchLabels.length === 0 ? {} : { matchLabels: Object.fromEntries(matchLabels) }),
    ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
  };
}

/** `a=b or c=d`. */
export function parseOrSelectors(text: string): LabelSelector[] {
  return text.split(/\sor\s/).map(parseSelector);
}

function parseRequirement(text: string): [string, string] | Requirement {
  const equals = EQUALS.exec(text)?.groups;
  if (equals !== undefined) {
    const { key = '', operator, value = '' } = equals;
    return operator === '!=' ? { key, operator: 'NotIn', values: [value] } : [key, value];
  }
  const set = SET.exec(text)?.groups;
  if (set !== undefined) {
    const values = (set['values'] ?? '').split(',').map((value) => value.trim());
    return { key: set['key'] ?? '', operator: set['operator'] === 'in' ? 'In' : 'NotIn', values };
  }
  const presence = PRESENCE.exec(text)?.groups;
  if (presence === undefined) {
    throw new InvalidArgumentError(`expected a label selector such as app=shop,tier!=test, got "${text}"`);
  }
  return { key: presence['key'] ?? '', operator: presence['not'] === '!' ? 'DoesNotExist' : 'Exists' };
}

function splitOutsideParentheses(text: string): string[] {
  const parts = [''];
  let isInside = false;
  for (const character of text) {
    if (character === '(' || character === ')') isInside = character === '(';
    if (character === ',' && !isInside) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts.map((part) => part.trim());
}
