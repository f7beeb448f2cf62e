import { AppError, messageOf, type Clock, type Log } from '../../../base/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';
import { timeLimit } from '../../runtime/index.ts';
import type { PodDiagnosis } from '../diagnosis/index.ts';
import { explainPod, type PodName } from '../situation.ts';

export interface LooksDeps {
  kube: Kube;
  clock: Clock;
  log: Log;
}

/** For one look at pod, events, claims and node. */
const DEADLINE_MS = 5_000;

/** Asks the cluster again and again what is in the way of a pod, until the signal ends it or `tell` throws. */
export async function lookAt(
  pod: PodName,
  { everyMs, tell }: { everyMs: number; tell: (found: PodDiagnosis | undefined) => void },
  deps: LooksDeps,
  signal: AbortSignal,
): Promise<never> {
  for (;;) {
    await deps.clock.sleep(everyMs, signal);
    const look = await lookOnce(pod, deps, signal);
    if (look !== 'failed') tell(look.found);
  }
}

async function lookOnce(
  pod: PodName,
  { kube, clock, log }: LooksDeps,
  signal: AbortSignal,
): Promise<{ found: PodDiagnosis | undefined } | 'failed'> {
  const late = (): AppError => new AppError('timeout', 'the cluster took too long to say how the pod is');
  const limit = timeLimit(signal, DEADLINE_MS, { clock, late });
  try {
    return { found: await explainPod(kube, pod, limit.signal) };
  } catch (error) {
    signal.throwIfAborted();
    // Whoever waits for the pod waits on, and hears of the API server by other ways.
    log.debug('no diagnosis', { pod: `${pod.namespace}/${pod.name}`, err: messageOf(error) });
    return 'failed';
  } finally {
    limit.end();
  }
}
