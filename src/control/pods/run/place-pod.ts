import { POD } from '../../../api/index.ts';
import type { AppError } from '../../../base/index.ts';
import { backoffMs, isAppError, type Backoff, type Clock } from '../../../base/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../runtime/objects/index.ts';
import { diagnoseRefusal, diagnosisError, type PodDiagnosis } from '../diagnosis/index.ts';
import { isOurs, podObject, type PodRequest } from './pod-request.ts';

/** Requests that wait while the API server does not answer; an operation's `api` is one. */
export interface Calls {
  call<T>(request: () => Promise<T>): Promise<T>;
}

export interface PlaceDeps {
  kube: Kube;
  clock: Clock;
  random: () => number;
  /** Hears why the pod cannot be created yet; throws when that has lasted too long. */
  onRefused: (diagnosis: PodDiagnosis) => void;
}

const AGAIN: Backoff = { baseMs: 500, maxMs: 5_000 };

/**
 * The pod of this request: created now, or by an earlier process. One that is on its way out is waited for, and another
 * one that has the name is left alone.
 */
export async function placePod(
  request: PodRequest,
  deps: PlaceDeps,
  { api, signal }: { api: Calls; signal: AbortSignal },
): Promise<KubeObject> {
  const { name, namespace } = request;
  const { kube, clock, random, onRefused } = deps;
  const target = { type: POD, namespace };
  const object = podObject(request);
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await api.call(() => kube.create(target, object, options));
    } catch (error) {
      const found = isAppError(error, 'alreadyExists')
        ? await api.call(() => readObject({ ...target, name }, { kube }, signal))
        : undefined;
      if (found !== undefined && !isOurs(found, request)) throw taken(request);
      if (found !== undefined && found.metadata.deletionTimestamp === undefined) return found;
      if (!isAppError(error, 'alreadyExists')) tellRefusal(error, request, onRefused);
    }
    await clock.sleep(backoffMs(tries, AGAIN, random()), signal);
  }
}

/** Throws what is no refusal: whoever calls knows how to wait for a server that does not answer. */
function tellRefusal(error: unknown, { namespace, name }: PodRequest, onRefused: PlaceDeps['onRefused']): void {
  const diagnosis = diagnoseRefusal(error, `pod ${namespace}/${name}`);
  if (diagnosis === undefined) throw error;
  onRefused(diagnosis);
}

function taken({ namespace, name }: PodRequest): AppError {
  const diagnosis: PodDiagnosis = {
    reason: 'NameTaken',
    cause: `create pod ${namespace}/${name}: there is a pod with that name which is not ours`,
    hint: 'delete it, or rename it',
    outlook: 'hopeless',
    code: 'alreadyExists',
  };
  return diagnosisError(diagnosis);
}
