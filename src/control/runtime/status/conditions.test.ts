import { describe, expect, it } from 'vitest';
import { removeCondition, setCondition } from './conditions.ts';

const T0 = Date.UTC(2026, 0, 1, 10, 0, 0, 700);
const STALLED = { type: 'Stalled', status: 'True', reason: 'PodPending', message: 'pod waits' } as const;

describe('conditions', () => {
  it('adds a condition with whole seconds', () => {
    expect(setCondition([], { ...STALLED, observedGeneration: 3 }, T0)).toEqual([
      { ...STALLED, observedGeneration: 3, lastTransitionTime: '2026-01-01T10:00:00Z' },
    ]);
  });

  it('moves the transition time only when the status changes', () => {
    const first = setCondition([], STALLED, T0);
    const again = setCondition(first, { ...STALLED, message: 'still waits' }, T0 + 60_000);
    expect(again).toEqual([{ ...STALLED, message: 'still waits', lastTransitionTime: '2026-01-01T10:00:00Z' }]);
    const cleared = setCondition(again, { ...STALLED, status: 'False' }, T0 + 60_000);
    expect(cleared[0]?.lastTransitionTime).toBe('2026-01-01T10:01:00Z');
  });

  it('fills in a transition time that an older writer left out', () => {
    const [after] = setCondition([{ type: 'Stalled', status: 'True' }], STALLED, T0);
    expect(after?.lastTransitionTime).toBe('2026-01-01T10:00:00Z');
  });

  it('keeps the order of the others and does not change what it was given', () => {
    const before = [
      { type: 'A', status: 'True' as const },
      { type: 'Stalled', status: 'False' as const },
    ];
    const after = setCondition([...before, { type: 'B', status: 'True' }], STALLED, T0);
    expect(after.map(({ type }) => type)).toEqual(['A', 'Stalled', 'B']);
    expect(before[1]?.status).toBe('False');
  });

  it('keeps no character of what others said that has an effect', () => {
    const said = `\u001b[2J\u202e${'x'.repeat(100_000)}`;
    const message = setCondition([], { ...STALLED, message: said }, T0)[0]?.message ?? '';
    expect(message.slice(0, 16)).toBe('\\x1b[2J\\u202exxx');
    expect(message.length).toBe(32_768);
  });

  it('removes', () => {
    const ready = { ...STALLED, type: 'Ready' };
    const all = setCondition(setCondition([], STALLED, T0), ready, T0);
    expect(removeCondition(all, 'Stalled').map(({ type }) => type)).toEqual(['Ready']);
  });
});

it('keeps a message within what Kubernetes takes', () => {
  const [condition] = setCondition([], { ...STALLED, message: 'x'.repeat(100_000) }, T0);
  expect(condition?.message).toHaveLength(32_768);
});
