import { HEADWAY_POD_LABEL, POD, SECRET } from '../../../api/index.ts';
import { isAppError } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { removePod } from '../../pods/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { LIST_MS, MOVER_LABELS } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';

type Deps = Pick<ControlDeps, 'kube' | 'clock' | 'namespace' | 'log'>;

/** No clock of a cluster is further off. */
const CLOCKS_MS = 60_000;

/**
 * Removes movers that have listed files for a server that was killed. Any server makes them, not only the one that
 * leads, so it is their age that tells: none that somebody still waits for is as old.
 */
export async function removeOldLists(deps: Deps, signal: AbortSignal): Promise<void> {
  const { kube, clock, namespace, log } = deps;
  const { purpose, server, job } = MOVER_LABELS;
  const labelSelector = `${HEADWAY_POD_LABEL}=${purpose},${server}=${namespace},${job}=list`;
  const isOld = ({ metadata }: KubeObject): boolean =>
    clock.now() - Date.parse(metadata.creationTimestamp ?? '') > LIST_MS + CLOCKS_MS;
  for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector, signal })) {
    for (const pod of Array.from(items).filter(isOld)) {
      log.info('a mover that nobody waits for is removed', { pod: pod.metadata.name });
      await removePod(pod, deps, { signal });
    }
  }
  // One goes with its pod, unless its server was killed before it could say so.
  for await (const { items } of kube.list({ type: SECRET, namespace }, { labelSelector, signal })) {
    for (const { metadata } of Array.from(items).filter(isOld)) {
      try {
        const target = { type: SECRET, namespace, name: metadata.name };
        await kube.delete(target, { signal, deadlineMs: CALL_DEADLINE_MS });
      } catch (error) {
        if (!isAppError(error, 'notFound')) throw error;
      }
    }
  }
}
