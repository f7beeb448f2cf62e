import { AppError } from '../../../../base/index.ts';
import type { ResourceModifiers } from '../../../../core/restore/index.ts';
import { readModifiers } from './modifiers.ts';
import { readRestorePolicies } from './policies.ts';
import type { ServedTypes } from '../source/served-types.ts';
import type { ReadContext } from '../context.ts';
import { type FineFilter, fineFilter } from '../../../../core/selection/index.ts';

/** The user's rules for one restore, from ConfigMaps. */
export interface UserRules {
  modifiers: ResourceModifiers | undefined;
  policies: FineFilter | undefined;
}

/**
 * Read again when the work begins: while a restore waited, or between two processes, they may have been deleted.
 * Without them it would restore things that nobody asked for, so it does not begin.
 */
export async function readUserRules(context: ReadContext, types: ServedTypes): Promise<UserRules> {
  const { restore, deps, api, signal } = context;
  const { spec } = restore;
  const source = { kube: deps.kube, namespace: deps.namespace, clock: deps.clock, signal };
  const modifiers = await api.call(() => readModifiers(spec, source));
  const policies = await api.call(() => readRestorePolicies(spec, source));
  if (spec.resourceModifier !== undefined && modifiers === undefined) {
    throw unreadable('resource modifiers', [`ConfigMap ${spec.resourceModifier.name} is not there any more`]);
  }
  if (modifiers !== undefined && modifiers.problems.length > 0) {
    throw unreadable('resource modifiers', modifiers.problems);
  }
  if (policies !== undefined && policies.policies === undefined) {
    throw unreadable('resource policies', policies.problems);
  }
  return {
    modifiers: modifiers?.modifiers,
    policies: policies?.policies && fineFilter(policies.policies, types.names),
  };
}

function unreadable(what: string, problems: readonly string[]): AppError {
  return new AppError('invalid', `cannot read the ${what}: ${problems.join('; ')}`);
}
