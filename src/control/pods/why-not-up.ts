import { AppError, objectsAt, textAt, type JsonObject } from '../../base/index.ts';

export interface WantedContainer {
  container: string;
  /** Not only running, but ready. */
  waitForReady: boolean;
}

/** Why a container does not run yet, in Kubernetes' own words; undefined when it does. Throws when it never will. */
export function whyNotUp(pod: JsonObject, wanted: WantedContainer): string | undefined {
  const phase = textAt(pod, 'status', 'phase') ?? 'Pending';
  if (phase === 'Succeeded' || phase === 'Failed') throw new AppError('invalid', `the pod has ended as ${phase}`);
  const statuses = [
    ...objectsAt(pod, 'status', 'containerStatuses'),
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
  ];
  const container = statuses.find(({ name }) => name === wanted.container);
  const state = container?.['state'] as JsonObject | undefined;
  if (state?.['running'] !== undefined) {
    return wanted.waitForReady && container?.['ready'] !== true ? 'the container is not ready' : undefined;
  }
  const waiting = textAt(container, 'state', 'waiting', 'reason');
  const scheduled = objectsAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
  return waiting ?? textAt(scheduled, 'reason') ?? `the pod is ${phase}`;
}
