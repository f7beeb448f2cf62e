import type { AppError } from '../../base/index.ts';
import { ERROR_CODES, toAppError } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { FollowedKind } from './follow.ts';
import { nounOf, type Scope } from './open-cluster.ts';
import { troubleTeller } from './watch-views.ts';

const LOOK_EVERY_MS = 200;

interface Wish {
  /** Only these; all when there are none. */
  names: readonly string[];
  selector?: string;
  /** Prints what has changed, a table's rows or documents. */
  print: (objects: readonly KubeObject[]) => Promise<void>;
}

/** `get --watch`: what there is, and then whatever changes, until Ctrl-C. */
export async function watchObjects(
  scope: Scope,
  type: ResourceType,
  { names, selector, print }: Wish,
): Promise<number> {
  const { clock, signal, output, programName } = scope.deps;
  const stop = new AbortController();
  const kind = new FollowedKind(scope, type, selector === undefined ? {} : { labelSelector: selector });
  const tellTrouble = troubleTeller(output, programName);
  let failure: AppError | undefined;
  let versions = new Map<string, string>();
  const following = kind.run(AbortSignal.any([signal, stop.signal])).catch((error: unknown) => {
    failure = toAppError(error);
  });
  try {
    for (;;) {
      if (failure !== undefined) throw failure;
      tellTrouble({ now: clock.now(), seen: [], trouble: kind.trouble });
      const objects = [...kind.objects].filter(({ metadata }) => names.length === 0 || names.includes(metadata.name));
      const changed = objects.filter((object) => versions.get(keyOf(object)) !== object.metadata.resourceVersion);
      if (changed.length > 0) await print(changed);
      const now = new Map(objects.map((object) => [keyOf(object), object.metadata.resourceVersion ?? '']));
      for (const key of versions.keys()) if (!now.has(key)) output.note(`${nounOf(type.kind)} ${key} was deleted`);
      versions = now;
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return ERROR_CODES.canceled.exitCode;
  } finally {
    stop.abort();
    await following;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
