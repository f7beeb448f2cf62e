import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import type { Step } from './step.ts';
import { mainStep, stepsOf, stepsTotal } from './steps.ts';

export interface OpenedSteps {
  steps: readonly Step[];
  total: number;
  /** The one that is shown whole below the row. */
  open: Step | undefined;
  toggle: (number: number) => void;
}

const NONE = 'none';

/** The running step is open until somebody opens another one, or none; the address remembers it. */
export function useOpenedSteps(operation: Operation | undefined, detail: OperationDetail | undefined): OpenedSteps {
  const { step: asked } = usePlace().query;
  const setQuery = useSetQuery();
  const now = useNow(500);
  const oldSince = useOldSince(operation?.cluster ?? '');
  const steps = operation === undefined ? [] : stepsOf(operation, detail, oldSince ?? now);
  const main = mainStep(steps);
  const chosen = asked === undefined ? main : steps.find(({ number }) => String(number) === asked);
  const open = chosen?.inside === undefined ? undefined : chosen;
  return {
    steps,
    total: Math.max(stepsTotal(operation, detail), steps.length),
    open,
    toggle: (number) => {
      // What would be open anyway need not be remembered, so that the page goes on following what runs.
      const isMain = number === main?.number && number !== open?.number;
      setQuery({ step: isMain ? undefined : number === open?.number ? NONE : String(number) });
    },
  };
}
