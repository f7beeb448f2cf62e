import type { OperationStep } from './operation.ts';

/** More are not looked at by anybody, and whoever writes a pipeline may write as many as fit into an object. */
export const MAX_STEPS = 100;

/** At most so many steps, the running one among them. */
export function aroundRunning(steps: readonly OperationStep[]): OperationStep[] {
  if (steps.length <= MAX_STEPS) return [...steps];
  const running = steps.findIndex(({ state }) => state === 'Running');
  const from = Math.max(0, Math.min(running - MAX_STEPS / 2, steps.length - MAX_STEPS));
  return steps.slice(from, from + MAX_STEPS);
}
