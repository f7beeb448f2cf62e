import { describe, expect, it } from 'vitest';
import { withCondition, withoutCondition } from './conditions.ts';

const READY = { type: 'Ready', status: 'True', reason: 'Fine', lastTransitionTime: 't0' };

describe('withCondition', () => {
  it('adds what is new with the time of now', () => {
    expect(withCondition(undefined, { type: 'Ready', status: 'True' }, 't1')).toEqual([
      { type: 'Ready', status: 'True', lastTransitionTime: 't1' },
    ]);
  });

  it('leaves what is the same as it is', () => {
    expect(withCondition([READY], { type: 'Ready', status: 'True', reason: 'Fine' }, 't1')).toEqual([READY]);
  });

  it('keeps the time of the transition when only the reason changes, and the place among the others', () => {
    const other = { type: 'Other', status: 'False' };
    expect(withCondition([READY, other], { type: 'Ready', status: 'True', reason: 'Better' }, 't1')).toEqual([
      { type: 'Ready', status: 'True', reason: 'Better', lastTransitionTime: 't0' },
      other,
    ]);
  });

  it('moves the time with the status', () => {
    expect(withCondition([READY], { type: 'Ready', status: 'False' }, 't1')).toEqual([
      { type: 'Ready', status: 'False', lastTransitionTime: 't1' },
    ]);
  });
});

it('withoutCondition takes one type away', () => {
  expect(withoutCondition([READY], 'Ready')).toEqual([]);
  expect(withoutCondition(undefined, 'Ready')).toEqual([]);
});
