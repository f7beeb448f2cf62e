import { applyOperation, Draft, textAt, type JsonObject } from '../../base/index.ts';
import { anyGlobMatcher, matchesSelector, selectorProblems } from '../selection/index.ts';
import { labelsOf, nameOf } from './fields.ts';
import type { ModifierRule } from './modifier-document.ts';
import { isFailedTest, operationOf } from './modifier-patch.ts';
import type { PatternReader } from './pattern-reader.ts';
import { resourcePattern } from './resource-pattern.ts';

/** What conditions test about an item; computed once for all rules. */
export interface ItemFacts {
  groupResource: string;
  namespace: string | undefined;
  name: string;
  labels: Readonly<Record<string, string>>;
  /** Used only by the `test` operations of conditions. */
  draft: Draft;
}

export function factsOf(groupResource: string, item: JsonObject): ItemFacts {
  return {
    groupResource,
    namespace: textAt(item, 'metadata', 'namespace'),
    name: nameOf(item),
    labels: labelsOf(item),
    draft: new Draft(item),
  };
}

export type Condition = (facts: ItemFacts) => boolean;

/** Whether a rule applies to an item. */
export function conditionOf(
  { groupResource, namespaces = [], resourceNameRegex = '', labelSelector, matches = [] }: ModifierRule['conditions'],
  patterns: PatternReader,
  problems: string[],
): Condition {
  const isType = patterns.read('groupResource', resourcePattern(groupResource), problems);
  const isName = patterns.read('resourceNameRegex', resourceNameRegex, problems);
  const isNamespace = anyGlobMatcher(namespaces);
  if (labelSelector !== undefined) problems.push(...selectorProblems(labelSelector));
  const tests = matches.map((match) => operationOf({ operation: 'test', ...match }, problems));
  return (facts) =>
    isType(facts.groupResource) &&
    // A list of namespaces does not exclude items that are in no namespace.
    (namespaces.length === 0 || facts.namespace === undefined || isNamespace(facts.namespace)) &&
    isName(facts.name) &&
    (labelSelector === undefined || matchesSelector(labelSelector, facts.labels)) &&
    tests.every((test) => passes(facts.draft, test));
}

function passes(draft: Draft, test: ReturnType<typeof operationOf>): boolean {
  try {
    applyOperation(draft, test);
    return true;
  } catch (error) {
    if (isFailedTest(error)) return false;
    throw error;
  }
}
