import { unmatchedText, type Unmatched } from '../../core/selection/index.ts';
import { NOTHING_SELECTED, UNMATCHED_NAMES } from '../../core/operations/index.ts';
import type { ConditionChange } from '../runtime/index.ts';
import type { Findings } from './findings.ts';
import type { OperationRun } from './operation-run.ts';

/** What became of the names and selectors in a spec. */
export interface Selected {
  unmatched: readonly Unmatched[];
  /** There is nothing at all to do. */
  isNothing: boolean;
}

/** Tells in a condition and in the log what matched nothing. Velero counts no warning for it. */
export function tellSelection(
  selected: Selected,
  nothing: string,
  { run, findings }: { run: Pick<OperationRun, 'setCondition'>; findings: Findings },
): void {
  const condition = conditionOf(selected, nothing);
  if (condition === undefined) return;
  run.setCondition(condition);
  findings.notice('operation', condition.message);
}

/** Undefined when every name has matched something. */
function conditionOf({ unmatched, isNothing }: Selected, nothing: string): ConditionChange | undefined {
  const text = unmatchedText(unmatched);
  if (isNothing) {
    const message = text === '' ? nothing : `${nothing}: ${text}`;
    return { type: NOTHING_SELECTED, status: 'True', reason: 'NothingMatches', message };
  }
  return text === '' ? undefined : { type: UNMATCHED_NAMES, status: 'True', reason: 'NoMatch', message: text };
}
