import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { diagnoseEnded, killed, podText, type PodDiagnosis } from '../diagnosis/index.ts';

/** Where a pod stands that runs one program to its end, in one of its containers. */
export type Standing =
  | { state: 'waiting' }
  /** `run` counts how often the program was started, from 0; each run has a log of its own. */
  | { state: 'running'; run: number }
  | { state: 'ended'; run: number; exitCode: number }
  /** The program did not end by itself, or never began, and will not begin again. */
  | { state: 'broken'; run: number | undefined; diagnosis: PodDiagnosis };

export function standingOf(pod: JsonObject, container: string): Standing {
  const phase = textAt(pod, 'status', 'phase');
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const own = objectsAt(pod, 'status', 'containerStatuses').find(({ name }) => name === container);
  const state = objectAt(own, 'state');
  const restarts = valueAt(own, 'restartCount');
  const run = typeof restarts === 'number' ? restarts : 0;
  const exitCode = valueAt(state, 'terminated', 'exitCode');
  const hasEnded = typeof exitCode === 'number';
  const hasRun = hasEnded || state['running'] !== undefined;
  if (isOver || (hasEnded && !startsAgain(pod, exitCode))) {
    const diagnosis = diagnoseEnded(pod) ?? (hasEnded ? killed(pod, container) : undefined);
    if (diagnosis !== undefined) return { state: 'broken', run: hasRun ? run : undefined, diagnosis };
    if (hasEnded) return { state: 'ended', run, exitCode };
    if (phase === 'Succeeded') return { state: 'ended', run, exitCode: 0 };
    return { state: 'broken', run: undefined, diagnosis: failed(pod) };
  }
  // Between two runs nothing is new: the count goes up with the next one.
  const hasRunBefore = valueAt(own, 'lastState', 'terminated') !== undefined;
  return hasRun || hasRunBefore ? { state: 'running', run } : { state: 'waiting' };
}

function startsAgain(pod: JsonObject, exitCode: number): boolean {
  const policy = textAt(pod, 'spec', 'restartPolicy') ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** For reasons that a later Kubernetes may have. */
function failed(pod: JsonObject): PodDiagnosis {
  const words = [textAt(pod, 'status', 'reason'), textAt(pod, 'status', 'message')].filter(
    (word) => word !== undefined,
  );
  const why = words.length === 0 ? 'nobody says why' : words.join(': ');
  return { reason: 'PodFailed', cause: `${podText(pod)} has failed: ${why}`, hint: 'see its events', outlook: 'over' };
}
