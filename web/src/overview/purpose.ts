import type { OperationFacts } from '../../../src/core/operations/index.ts';

/** What it is for, in a few words: `backup of statefulset mysql/mysql`, `final migration of plan shop`. */
export function purposeText({ facts }: { facts: OperationFacts }): string | undefined {
  const { actions, plan, migrationType } = facts;
  if (actions !== undefined) return shortList(actions);
  if (migrationType !== undefined) return `${migrationType} migration${plan === undefined ? '' : ` of plan ${plan}`}`;
  return undefined;
}

/** The same where it is one of many. */
export function shortPurpose(operation: { facts: OperationFacts }): string | undefined {
  const { plan, migrationType } = operation.facts;
  if (migrationType === undefined) return purposeText(operation);
  return plan === undefined ? migrationType : `${migrationType}, plan ${plan}`;
}

/** `a, b and 3 more` */
export function shortList(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 2).join(', '), names.length - 2];
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}
