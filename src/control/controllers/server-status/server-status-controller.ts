import { ServerStatusRequest } from '../../../api/index.ts';
import { textAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, type Part, type ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import { deleteObject, patchStatus, toTime } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { BUILT_IN_PLUGINS, type PluginInfo } from './plugins.ts';

export interface ServerStatusOptions {
  /** Such as `v1.2.3`; the stock client compares it with its own. */
  serverVersion: string;
  plugins?: readonly PluginInfo[];
}

const KEPT_MS = 60_000;

export function createServerStatusController(options: ServerStatusOptions, deps: ControlDeps, caches: Caches): Part {
  return new Controller(
    {
      name: 'server-status',
      sources: [{ cache: caches.statusRequests }],
      reconcile: async (key, signal) => {
        const object = caches.statusRequests.get(key);
        return object === undefined ? 'done' : await answer(object, options, deps, signal);
      },
    },
    deps,
  );
}

/** Exported for its tests, which control the clock. */
export async function answer(
  object: KubeObject,
  { serverVersion, plugins = BUILT_IN_PLUGINS }: ServerStatusOptions,
  deps: ControlDeps,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const write = { type: ServerStatusRequest, object, deps, signal };
  const processed = textAt(object, 'status', 'processedTimestamp');
  if (object.metadata.deletionTimestamp !== undefined) return 'done';
  if (textAt(object, 'status', 'phase') !== 'Processed' || processed === undefined) {
    await patchStatus(write, {
      phase: 'Processed',
      processedTimestamp: toTime(deps.clock.now()),
      serverVersion,
      plugins: plugins.map(({ kind, name }): JsonObject => ({ kind, name })),
    });
    return { requeueAfterMs: KEPT_MS };
  }
  const leftMs = Date.parse(processed) + KEPT_MS - deps.clock.now();
  // More than the whole period means that the clock was set back.
  if (leftMs > 0 && leftMs <= KEPT_MS) return { requeueAfterMs: leftMs };
  await deleteObject(write);
  return 'done';
}
