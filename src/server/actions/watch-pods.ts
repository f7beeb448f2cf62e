import { AppError, isAppError, type Clock } from '../../base/index.ts';
import { CREATED_BY_KANISTER, POD, worksFor } from '../../api/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';

const SELECTION = { labelSelector: `createdBy=${CREATED_BY_KANISTER.createdBy}` };
/** After a watch that the server ended, which it does every few minutes, and after one that broke. */
const AGAIN_MS = 200;
const BROKEN_MS = 1000;
const MAX_TRIES = 30;

export interface PodWatch {
  /** The caller's own. */
  kube: KubeClient;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Tells every pod that works for a set, as often as it changes, until the signal ends it. Throws what the cluster says
 * when it does not let the caller. Without a namespace in all of them.
 */
export async function watchPods(
  { uid, namespace }: { uid: string; namespace?: string },
  tell: (pod: KubeObject) => void,
  { kube, clock, signal }: PodWatch,
): Promise<void> {
  const target = { type: POD, ...(namespace === undefined ? {} : { namespace }) };
  const see = (pod: KubeObject): void => {
    if (worksFor(pod, uid)) tell(pod);
  };
  for (let tries = 0; !signal.aborted;) {
    try {
      const resourceVersion = await listPods(kube, target, see, signal);
      const options = { ...SELECTION, resourceVersion, signal, onOpen: () => (tries = 0) };
      for await (const event of kube.watch(target, options)) {
        if (event.type === 'ADDED' || event.type === 'MODIFIED') see(event.object);
      }
      await clock.sleep(AGAIN_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      tries += 1;
      if (isAppError(error, 'forbidden', 'unauthenticated', 'notFound') || tries > MAX_TRIES) throw error;
      await clock.sleep(BROKEN_MS, signal).catch(() => undefined);
    }
  }
}

async function listPods(
  kube: KubeClient,
  target: { type: typeof POD; namespace?: string },
  see: (pod: KubeObject) => void,
  signal: AbortSignal,
): Promise<string> {
  let version: string | undefined;
  for await (const { items, resourceVersion } of kube.list(target, { ...SELECTION, signal })) {
    for (const pod of items) see(pod);
    version = resourceVersion;
  }
  if (version === undefined) throw new AppError('badAnswer', 'list pods: the answer has no page');
  return version;
}
