import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { PodPhase } from '../../core/action/index.ts';

/** One phase of an action set as its status tells, whoever wrote that. */
export interface SetPhase extends PodPhase {
  action: string;
  name: string;
  state: string;
  reason: string | undefined;
  /** As its status tells; Kanister's tells neither. */
  beganAt?: string | undefined;
  endedAt?: string | undefined;
}

/** All phases of all actions, those that run last included. */
export function setPhases(set: KubeObject): SetPhase[] {
  return objectsAt(set, 'status', 'actions').flatMap((action, at) => {
    const deferred = objectAt(action, 'deferPhase');
    const isThere = textAt(deferred, 'state') !== undefined;
    const name = textAt(action, 'name') ?? '';
    return [
      ...objectsAt(action, 'phases').map((phase, number) => phaseOf(phase, name, { action: at, phase: number })),
      ...(isThere ? [phaseOf(deferred, name, { action: at, phase: 'defer' })] : []),
    ];
  });
}

function phaseOf(phase: JsonObject, action: string, ref: PodPhase['ref']): SetPhase {
  const attempt = valueAt(phase, 'attempt');
  return {
    ref,
    attempt: typeof attempt === 'number' ? attempt : 1,
    action,
    name: textAt(phase, 'name') ?? '',
    state: textAt(phase, 'state') ?? 'pending',
    reason: textAt(phase, 'reason'),
    beganAt: textAt(phase, 'startTimestamp'),
    endedAt: textAt(phase, 'completionTimestamp'),
  };
}

/** What to say about a phase that is in another state than before; undefined for one that only waits. */
export function turnOf(phase: SetPhase): { level: 'info' | 'error'; message: string } | undefined {
  switch (phase.state) {
    case 'running':
      return { level: 'info', message: phase.attempt > 1 ? `phase begins, attempt ${phase.attempt}` : 'phase begins' };
    case 'complete':
    case 'completed':
      return { level: 'info', message: 'phase is complete' };
    case 'failed':
      return { level: 'error', message: `phase failed${phase.reason === undefined ? '' : `: ${phase.reason}`}` };
    default:
      return undefined;
  }
}
