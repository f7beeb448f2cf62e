import { isObject, objectAt, objectsAt, textAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../port.ts';

/** One run of a container; a restart is another run with its own log. */
export interface ContainerInstance {
  podUid: string;
  restarts: number;
  hasStarted: boolean;
  hasEnded: boolean;
}

/**
 * What happened to an instance: `restarted` means exactly once since, so its log is the previous one; `lost` has no log
 * any more.
 */
export type Fate = 'running' | 'ended' | 'restarted' | 'lost';

/** Undefined for `container` means the only one. */
export function readInstance(pod: KubeObject, container: string | undefined): ContainerInstance {
  const status = objectAt(pod, 'status');
  const phase = textAt(status, 'phase');
  const own = containerStatus(status, container);
  const restarts = own?.['restartCount'];
  const isWaiting = own === undefined ? phase === 'Pending' : isIn(own['state'], 'waiting');
  const hasRunBefore = isIn(own?.['lastState'], 'terminated');
  // Waiting after a run is CrashLoopBackOff: the run that has a log is over.
  const isDone = isIn(own?.['state'], 'terminated') || (isWaiting && hasRunBefore);
  return {
    podUid: pod.metadata.uid ?? '',
    restarts: typeof restarts === 'number' ? restarts : 0,
    hasStarted: !isWaiting || hasRunBefore,
    hasEnded: isDone || phase === 'Succeeded' || phase === 'Failed',
  };
}

function isIn(state: Json | undefined, name: 'waiting' | 'terminated'): boolean {
  return isObject(valueAt(state, name));
}

function containerStatus(status: JsonObject, container: string | undefined): JsonObject | undefined {
  const containers = objectsAt(status, 'containerStatuses');
  if (container === undefined) return containers[0];
  const others = [...objectsAt(status, 'initContainerStatuses'), ...objectsAt(status, 'ephemeralContainerStatuses')];
  return [...containers, ...others].find((one) => one['name'] === container);
}

export function fateOf(began: ContainerInstance, now: ContainerInstance | undefined): Fate {
  if (now === undefined || now.podUid !== began.podUid) return 'lost';
  const restarts = now.restarts - began.restarts;
  if (restarts === 0) return now.hasEnded ? 'ended' : 'running';
  return restarts === 1 ? 'restarted' : 'lost';
}
