import { expect, it } from 'vitest';
import { begunStatus, initialStatus } from './begin.ts';
import { phaseBegan, phaseCompleted, phaseExecuted, phaseKept } from './change.ts';
import { phaseAt } from './types.ts';

const now = '2026-01-01T00:00:00Z';
const ref = { action: 0, phase: 0 };
const action = { phases: [{ name: 'scale', func: 'ScaleWorkload' }] };
const running = phaseBegan(begunStatus(initialStatus([{ spec: { name: 'a' }, action }]), now), ref, now);
const kept = phaseKept(running, ref, { output: { replicas: '3' }, now });

it('keeps one thing beside the other, also for the next attempt', () => {
  const both = phaseKept(kept, ref, { output: { name: 'web' }, now });
  const again = phaseBegan(phaseKept(both, ref, { output: { replicas: '4' }, now }), ref, now);
  expect(phaseAt(again, ref)).toMatchObject({ attempt: 2, output: { replicas: '4', name: 'web' } });
});

it('loses nothing of it where the work returned nothing', () => {
  const executed = phaseExecuted(kept, ref, { outcome: { output: {} }, now });
  expect(phaseAt(executed, ref)).toMatchObject({ executed: true, output: { replicas: '3' } });
  expect(phaseAt(phaseCompleted(executed, ref, { output: {}, now }), ref)).toMatchObject({ output: { replicas: '3' } });
});

it('has what the work returned, or why it failed', () => {
  const executed = (outcome: Parameters<typeof phaseExecuted>[2]['outcome']) =>
    phaseAt(phaseExecuted(kept, ref, { outcome, now }), ref);
  expect(executed({ output: { path: '/x' } })).toMatchObject({ executed: true, output: { path: '/x' } });
  expect(executed({ reason: 'exit code 3' })).toMatchObject({ executed: true, reason: 'exit code 3' });
});
