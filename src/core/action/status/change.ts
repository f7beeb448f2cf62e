import type { JsonObject } from '../../../base/index.ts';
import type { Artifact } from '../params/template-params.ts';
import { completedProgress, deferredProgress, phaseProgress, setProgress, type FunctionStats } from './progress.ts';
import { failures, isSuccessful } from './steps.ts';
import { phaseAt, type ActionSetStatus, type ActionStatus, type PhaseRef, type PhaseStatus } from './types.ts';

/** What happens to a phase, each a new status; progress of phase and set come from one measurement. */
export function phaseBegan(status: ActionSetStatus, ref: PhaseRef, now: string): ActionSetStatus {
  return withPhase(status, ref, now, ({ executed: _executed, reason: _reason, ...phase }) => ({
    ...phase,
    state: 'running',
    attempt: (phase.attempt ?? 0) + 1,
    startTimestamp: phase.startTimestamp ?? now,
    progress: phaseProgress(phase.progress, { percent: 0 }, now),
  }));
}

/** Late news of a phase that has ended changes nothing. */
export function phaseProgressed(
  status: ActionSetStatus,
  ref: PhaseRef,
  { stats, now }: { stats: FunctionStats; now: string },
): ActionSetStatus {
  if (phaseAt(status, ref)?.state !== 'running') return status;
  return withPhase(status, ref, now, (phase) => ({ ...phase, progress: phaseProgress(phase.progress, stats, now) }));
}

/** What a phase must not forget if the process dies now; later attempts find it. */
export function phaseKept(
  status: ActionSetStatus,
  ref: PhaseRef,
  { output, now }: { output: JsonObject; now: string },
): ActionSetStatus {
  return withPhase(status, ref, now, (phase) => ({ ...phase, output: { ...phase.output, ...output } }));
}

/** Its work is done, well or badly; only cleaning up is left, and that alone is done again after a restart. */
export function phaseExecuted(
  status: ActionSetStatus,
  ref: PhaseRef,
  { outcome, now }: { outcome: { output: JsonObject } | { reason: string }; now: string },
): ActionSetStatus {
  return withPhase(status, ref, now, (phase) => {
    const isEmpty = 'output' in outcome && Object.keys(outcome.output).length === 0;
    return { ...phase, executed: true, ...(isEmpty ? {} : outcome) };
  });
}

export function phaseCompleted(
  status: ActionSetStatus,
  ref: PhaseRef,
  { output, now }: { output: JsonObject; now: string },
): ActionSetStatus {
  return withPhase(status, ref, now, ({ reason: _reason, executed: _executed, ...phase }) => ({
    ...phase,
    state: 'complete',
    completionTimestamp: now,
    progress: ref.phase === 'defer' ? deferredProgress(phase.progress, now) : completedProgress(phase.progress, now),
    ...(Object.keys(output).length > 0 && { output }),
  }));
}

/** Its progress stays what it was. The set is not failed before every deferPhase has run. */
export function phaseFailed(
  status: ActionSetStatus,
  ref: PhaseRef,
  { reason, now }: { reason: string; now: string },
): ActionSetStatus {
  return withPhase(status, ref, now, ({ executed: _executed, ...phase }) => ({
    ...phase,
    state: 'failed',
    reason,
    completionTimestamp: now,
  }));
}

export interface Ending {
  now: string;
  isCanceled: boolean;
  /** Renders the artifacts of a successful action; what it throws makes the set fail. */
  artifacts: (action: ActionStatus, index: number) => Record<string, Artifact> | { problem: string };
}

/** The last status: success only if every phase, every deferPhase and every artifact is there. */
export function finishedStatus(status: ActionSetStatus, { now, isCanceled, artifacts }: Ending): ActionSetStatus {
  const problems = isCanceled ? ['canceled'] : failures(status);
  const actions = status.actions?.map((action, index): ActionStatus => {
    if (action.artifacts === undefined || isCanceled || !isSuccessful(action)) return action;
    const rendered = artifacts(action, index);
    if (isProblem(rendered)) {
      problems.push(rendered.problem);
      return action;
    }
    return { ...action, artifacts: rendered };
  });
  const ended: ActionSetStatus = {
    ...status,
    ...(actions !== undefined && { actions }),
    completionTimestamp: now,
    ...(problems.length === 0 ? { state: 'complete' } : { state: 'failed', error: { message: problems.join('; ') } }),
  };
  return { ...ended, progress: setProgress(ended, now) };
}

function isProblem(rendered: Record<string, Artifact> | { problem: string }): rendered is { problem: string } {
  return typeof rendered['problem'] === 'string';
}

function withPhase(
  status: ActionSetStatus,
  ref: PhaseRef,
  now: string,
  change: (phase: PhaseStatus) => PhaseStatus,
): ActionSetStatus {
  const actions = (status.actions ?? []).map((action, index): ActionStatus => {
    if (index !== ref.action) return action;
    if (ref.phase === 'defer') return { ...action, deferPhase: change(action.deferPhase ?? {}) };
    const phases = (action.phases ?? []).map((phase, number) => (number === ref.phase ? change(phase) : phase));
    return { ...action, phases };
  });
  const changed = { ...status, actions };
  return { ...changed, progress: setProgress(changed, now) };
}
