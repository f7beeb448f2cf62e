import { allPhases, hasDefer, type ActionSetStatus, type ActionStatus, type PhaseRef } from './types.ts';

/** What is to be done next. Actions go on beside each other, the phases of one after each other. */
export type Step =
  | { kind: 'start'; ref: PhaseRef }
  /** It runs already, perhaps since before a restart. */
  | { kind: 'attend'; ref: PhaseRef }
  /** Every action has ended: artifacts are rendered, and the set ends. */
  | { kind: 'finish' };

/** From the status alone, so that a restarted controller goes on where the last one was. */
export function nextSteps(status: ActionSetStatus, { isCanceled = false } = {}): Step[] {
  if (status.state === 'complete' || status.state === 'failed') return [];
  const steps = (status.actions ?? []).map((action, index) => nextStep(action, index, isCanceled));
  const open = steps.filter((step) => step !== undefined);
  return open.length === 0 ? [{ kind: 'finish' }] : open;
}

function nextStep(action: ActionStatus, index: number, isCanceled: boolean): Step | undefined {
  const { phases = [], deferPhase } = action;
  const running = phases.findIndex(({ state }) => state === 'running');
  if (running >= 0) return { kind: 'attend', ref: { action: index, phase: running } };
  const hasFailed = phases.some(({ state }) => state === 'failed');
  const next = phases.findIndex(({ state }) => state === 'pending');
  if (next >= 0 && !hasFailed && !isCanceled) return { kind: 'start', ref: { action: index, phase: next } };
  const ref: PhaseRef = { action: index, phase: 'defer' };
  if (!hasDefer(action)) return undefined;
  if (deferPhase?.state === 'running') return { kind: 'attend', ref };
  return deferPhase?.state === 'pending' ? { kind: 'start', ref } : undefined;
}

/** Whether all of an action went well; only then are its artifacts rendered. */
export function isSuccessful({ phases = [], deferPhase, ...action }: ActionStatus): boolean {
  const last = hasDefer({ ...action, deferPhase }) ? [deferPhase] : [];
  return [...phases, ...last].every((phase) => phase?.state === 'complete');
}

/** Why phases failed, in their order. */
export function failures(status: ActionSetStatus): string[] {
  return [...allPhases(status)]
    .filter(({ phase }) => phase.state === 'failed')
    .map(({ phase }) => phase.reason ?? `phase ${phase.name ?? ''} failed`);
}
