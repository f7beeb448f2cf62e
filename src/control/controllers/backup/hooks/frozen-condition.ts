import type { ConditionChange } from '../../../runtime/index.ts';
import type { PodName } from './hook-record.ts';

export const PODS_MAY_BE_FROZEN = 'PodsMayBeFrozen';

/** Names the pods whose post hooks have not been run. */
export function mayBeFrozen(pods: readonly PodName[]): ConditionChange {
  const names = pods.map(({ namespace, name }) => `${namespace}/${name}`).join(', ');
  const message = `post hooks have not been run in ${names}; they are tried again, or can be run by hand`;
  return { type: PODS_MAY_BE_FROZEN, status: 'True', reason: 'PostHooksNotRun', message };
}
