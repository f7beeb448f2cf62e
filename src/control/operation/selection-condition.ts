import { unmatchedText, type Unmatched } from '../../core/selection/index.ts';
import { NOTHING_SELECTED, UNMATCHED_NAMES } from '../../core/operations/index.ts';
import type { ConditionChange } from '../runtime/index.ts';

/** What became of the names and selectors in a spec. */
export interface Selected {
  unmatched: readonly Unmatched[];
  /** There is nothing at all to do. */
  isNothing: boolean;
}

/** What to say of them in a condition; undefined when every name has matched. Velero counts no warning for it. */
export function selectionCondition({ unmatched, isNothing }: Selected, nothing: string): ConditionChange | undefined {
  const text = unmatchedText(unmatched);
  if (isNothing) {
    const message = text === '' ? nothing : `${nothing}: ${text}`;
    return { type: NOTHING_SELECTED, status: 'True', reason: 'NothingMatches', message };
  }
  return text === '' ? undefined : { type: UNMATCHED_NAMES, status: 'True', reason: 'NoMatch', message: text };
}
