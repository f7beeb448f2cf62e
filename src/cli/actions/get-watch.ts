import { ERROR_CODES, toAppError, type AppError } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { nounOf, type Kind } from '../objects/kinds.ts';
import type { Found } from './find-objects.ts';
import { FollowedKinds } from './follow-kinds.ts';
import type { Scope } from './open-cluster.ts';
import { nothingListed, notShownLine } from './refusals.ts';
import { troubleTeller } from './watch-views.ts';

const LOOK_EVERY_MS = 200;

interface Wish {
  /** Only these; all when there are none. */
  names: readonly string[];
  selector?: string;
  /** Prints what has changed, a table's rows or documents. */
  print: (found: readonly Found[]) => Promise<void>;
}

/** `get --watch`: what there is, and then whatever changes, until Ctrl-C. */
export async function watchObjects(
  scope: Scope,
  kinds: readonly Kind[],
  { names, selector, print }: Wish,
): Promise<number> {
  const { clock, signal, output } = scope.deps;
  const stop = new AbortController();
  const followed = new FollowedKinds(scope, { kinds, labelSelector: selector });
  const tell = newsTeller(scope, kinds, followed);
  let failure: AppError | undefined;
  let versions = new Map<string, string>();
  const following = followed.run(AbortSignal.any([signal, stop.signal])).catch((error: unknown) => {
    failure = toAppError(error);
  });
  try {
    for (;;) {
      if (failure !== undefined) throw failure;
      tell();
      const found = [...followed.found()].filter(
        ({ object }) => names.length === 0 || names.includes(object.metadata.name),
      );
      const changed = found.filter(({ object }) => versions.get(keyOf(object)) !== object.metadata.resourceVersion);
      if (changed.length > 0) await print(changed);
      const now = new Map(found.map(({ object }) => [keyOf(object), object.metadata.resourceVersion ?? '']));
      for (const key of versions.keys()) if (!now.has(key)) output.note(`${key.replace(/^\S+/, nounOf)} was deleted`);
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

/** Says what is in the way, once; throws when nothing of what is asked for can be seen. */
function newsTeller(scope: Scope, kinds: readonly Kind[], followed: FollowedKinds): () => void {
  const { clock, output, programName } = scope.deps;
  const tellTrouble = troubleTeller(output, programName);
  let isTold = false;
  return () => {
    const { trouble } = followed;
    const troubles = trouble === undefined ? [] : [{ cluster: scope.cluster, ...trouble }];
    tellTrouble({ now: clock.now(), seen: [], troubles, silences: [] });
    if (isTold || !followed.isKnown) return;
    isTold = true;
    const { refusals } = followed;
    if (refusals.length === kinds.length) throw nothingListed(scope, refusals);
    const line = notShownLine(refusals);
    if (line !== undefined) output.note(line);
  };
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
