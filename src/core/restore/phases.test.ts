import { expect, it } from 'vitest';
import { Restore, type RestorePhase } from '../../api/index.ts';
import { isEndPhase, mayEnterPhase, phaseAfterItems } from './phases.ts';

const phaseSchema = Restore.structural().properties?.['status']?.properties?.['phase'];
const PHASES = phaseSchema?.enum as RestorePhase[];

it('ends where the stock clients stop waiting', () => {
  expect(PHASES.filter(isEndPhase).toSorted()).toEqual(['Completed', 'Failed', 'FailedValidation', 'PartiallyFailed']);
  expect(isEndPhase(undefined)).toBe(false);
});

it('never leaves an end, and can be canceled from everywhere else', () => {
  for (const from of PHASES) {
    for (const to of PHASES) if (isEndPhase(from)) expect(mayEnterPhase(from, to)).toBe(false);
    expect(mayEnterPhase(from, 'Failed')).toBe(!isEndPhase(from));
  }
});

it('cannot become Completed after something failed', () => {
  const reach = (from: RestorePhase): Set<RestorePhase> => {
    const seen = new Set<RestorePhase>([from]);
    for (const at of seen) for (const to of PHASES) if (mayEnterPhase(at, to)) seen.add(to);
    return seen;
  };
  expect(reach('New')).toEqual(new Set(PHASES));
  for (const operations of [false, true]) {
    expect(mayEnterPhase('InProgress', phaseAfterItems(true, operations))).toBe(true);
    expect(reach(phaseAfterItems(true, operations)).has('Completed')).toBe(false);
    expect(reach(phaseAfterItems(false, operations)).has('Completed')).toBe(true);
  }
});
