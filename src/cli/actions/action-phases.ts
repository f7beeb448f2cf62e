import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { PodPhase } from '../../core/action/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

export interface SetPhase extends PodPhase {
  name: string;
}

/** Every phase that the status of a set has, also the one that runs last; none before the set has begun. */
export function phasesOfSet(set: KubeObject): SetPhase[] {
  return objectsAt(set, 'status', 'actions').flatMap((action, at) => {
    const deferred = objectAt(action, 'deferPhase');
    return [
      ...objectsAt(action, 'phases').map((phase, number) => phaseOf(phase, { action: at, phase: number })),
      ...(textAt(deferred, 'name') === undefined ? [] : [phaseOf(deferred, { action: at, phase: 'defer' })]),
    ];
  });
}

function phaseOf(phase: JsonObject, ref: PodPhase['ref']): SetPhase {
  const attempt = valueAt(phase, 'attempt');
  return { ref, attempt: typeof attempt === 'number' ? attempt : 1, name: textAt(phase, 'name') ?? '' };
}
