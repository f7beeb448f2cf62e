import { ActionSet } from '../../../api/index.ts';
import { textAt, valueAt } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, type ObjectCache, type Part, type ReconcileResult } from '../../runtime/index.ts';
import { deleteObject } from '../../runtime/objects/index.ts';
import type { ActionDeps } from './deps.ts';

/** Clocks are set and specs are edited: it is looked at now and then, however long a set is kept. */
const LOOK_MS = 3600_000;

/** Deletes sets that have ended when their `ttlSecondsAfterFinished` is over. */
export function createTimeToLive(deps: ActionDeps, cache: ObjectCache): Part {
  return new Controller(
    {
      name: 'action-ttl',
      sources: [{ cache }],
      reconcile: async (key, signal) => {
        const object = cache.get(key);
        return object === undefined ? 'done' : await expire(object, deps, signal);
      },
    },
    deps,
  );
}

/** Exported for its tests, which control the clock. */
export async function expire(
  object: KubeObject,
  deps: Pick<ActionDeps, 'kube' | 'mayWrite' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const leftMs = timeLeftMs(object, deps.clock.now());
  if (leftMs === undefined || object.metadata.deletionTimestamp !== undefined) return 'done';
  if (leftMs > 0) return { requeueAfterMs: Math.min(leftMs, LOOK_MS) };
  const { namespace, name } = object.metadata;
  deps.log.info('action set is deleted: its time is over', { namespace, name });
  await deleteObject({ type: ActionSet, object, deps, signal });
  return 'done';
}

/** Undefined for a set that is kept, and for one whose end has no time. */
function timeLeftMs(object: KubeObject, now: number): number | undefined {
  const seconds = valueAt(object, 'spec', 'ttlSecondsAfterFinished');
  const state = textAt(object, 'status', 'state');
  const endedAt = Date.parse(textAt(object, 'status', 'completionTimestamp') ?? '');
  if (typeof seconds !== 'number' || (state !== 'complete' && state !== 'failed')) return undefined;
  return Number.isNaN(endedAt) ? undefined : endedAt + seconds * 1000 - now;
}
