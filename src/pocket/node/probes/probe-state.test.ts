import { expect, it } from 'vitest';
import { UNPROBED, withAnswer } from './probe-state.ts';

const verdicts = (answers: string, probe: { successThreshold?: number; failureThreshold?: number } = {}): unknown[] => {
  let state = UNPROBED;
  return Array.from(answers, (answer) => {
    state = withAnswer(state, answer === '+', probe);
    return state.isContent;
  });
};

it('is content after one good answer, and no more after three bad ones in a row', () => {
  expect(verdicts('+--+---')).toEqual([true, true, true, true, true, true, false]);
});

it('takes as many answers as it was told', () => {
  expect(verdicts('++-+++', { successThreshold: 3, failureThreshold: 1 })).toEqual([
    undefined,
    undefined,
    false,
    false,
    false,
    true,
  ]);
});
