import { isWorkingPod } from '../../../api/meta/pod-labels.ts';
import type { Container, Pod } from '../../controllers/kinds/index.ts';
import type { WorkerDeps } from '../container/index.ts';
import { allContainers } from '../pod/index.ts';
import { unknownVolume } from '../volumes/index.ts';

type Machine = Pick<WorkerDeps, 'findImage' | 'sandbox'>;

/** Why a container cannot be a process of this machine; undefined when it can. An image that is no name is another matter. */
export function whyNotRunnable(pod: Pod, container: Container, { findImage, sandbox }: Machine): string | undefined {
  const found = findImage(container.image ?? '');
  if (found.kind === 'unknown') return found.reason;
  if (found.kind === 'image' && found.image.base.kind === 'folder' && sandbox.kind === 'plain') {
    return `image "${container.image ?? ''}" is a folder, and this machine has no namespaces to enter it`;
  }
  return unknownVolume(pod);
}

/** A pod that Headway itself starts does real work: it runs, or fails with the reason. */
export function whyHeadwayPodCannotRun(pod: Pod, machine: Machine): string | undefined {
  if (!isWorkingPod(pod.metadata.labels)) return undefined;
  for (const container of allContainers(pod)) {
    const reason = whyNotRunnable(pod, container, machine);
    if (reason !== undefined) return `container "${container.name}" cannot be run: ${reason}`;
  }
  return undefined;
}
