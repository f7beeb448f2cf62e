import type { Probe } from '../../controllers/kinds/index.ts';

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

/** Whether a probe is content, after how many answers of the same kind in a row. */
export interface ProbeState {
  /** Undefined until enough answers have come. */
  isContent: boolean | undefined;
  last: boolean | undefined;
  inARow: number;
}

export const UNPROBED: ProbeState = { isContent: undefined, last: undefined, inARow: 0 };

/** One answer more. It takes several of a kind to change the verdict. */
export function withAnswer(state: ProbeState, isGood: boolean, probe: Probe): ProbeState {
  const inARow = state.last === isGood ? state.inARow + 1 : 1;
  const needed = isGood ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
  return { isContent: inARow >= needed ? isGood : state.isContent, last: isGood, inARow };
}
