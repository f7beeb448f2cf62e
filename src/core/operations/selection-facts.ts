import { textAt, type JsonObject } from '../../base/index.ts';
import type { OperationFacts } from './operation.ts';
import { trueCondition } from './status-values.ts';

/** Conditions of a backup or restore about the names in its spec. */
export const NOTHING_SELECTED = 'NothingSelected';
export const UNMATCHED_NAMES = 'UnmatchedNames';

/** What status says about names that matched nothing. */
export function selectionFacts(status: JsonObject): Pick<OperationFacts, 'unmatched' | 'isNothingSelected'> {
  const told = (type: string): string | undefined => textAt(trueCondition(status, type), 'message');
  const nothing = told(NOTHING_SELECTED);
  const unmatched = nothing ?? told(UNMATCHED_NAMES);
  return {
    ...(unmatched === undefined ? {} : { unmatched }),
    ...(nothing === undefined ? {} : { isNothingSelected: true }),
  };
}
