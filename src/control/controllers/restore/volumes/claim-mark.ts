import { PERSISTENT_VOLUME_CLAIM } from '../../../../api/index.ts';
import { AppError, textAt } from '../../../../base/index.ts';
import { UNFILLED_ANNOTATION } from '../../../../core/restore/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../../runtime/objects/index.ts';
import type { RestoreContext } from '../context.ts';

interface ClaimName {
  namespace: string;
  name: string;
}

type Deps = Pick<RestoreContext, 'deps' | 'operation'>;

/**
 * A claim is created with the mark that it is not filled yet, and loses it with its last byte. Throws if it is not
 * there: whoever works with that claim by now must not find older files in it.
 */
export async function expectUnfilled(claim: ClaimName, context: Deps, signal: AbortSignal): Promise<void> {
  const found = await readClaim(claim, context, signal);
  const what = `fill PersistentVolumeClaim ${claim.namespace}/${claim.name}`;
  if (found === undefined) throw new AppError('notFound', `${what}: it was deleted`);
  if (unfilledBy(found) === context.operation.object.metadata.name) return;
  const text = `${what}: it has no annotation ${UNFILLED_ANNOTATION} of this restore, so that somebody may be using it`;
  throw new AppError('conflict', text);
}

/** The claim that was filled; throws if somebody has deleted it meanwhile, and what was put into it with it. */
export async function expectKept(claim: ClaimName, context: Deps, signal: AbortSignal): Promise<KubeObject> {
  const found = await readClaim(claim, context, signal);
  if (found !== undefined && found.metadata.deletionTimestamp === undefined) return found;
  const what = `fill PersistentVolumeClaim ${claim.namespace}/${claim.name}`;
  throw new AppError('notFound', `${what}: it was deleted meanwhile`);
}

/** Its data is complete, and whatever waits for it may start. */
export async function fillsNoMore(claim: ClaimName, { deps, operation }: Deps, signal: AbortSignal): Promise<void> {
  const body = { metadata: { annotations: { [UNFILLED_ANNOTATION]: null } } };
  const target = { type: PERSISTENT_VOLUME_CLAIM, ...claim };
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  await operation.api(signal).call(() => deps.kube.patch(target, { kind: 'merge', body }, options));
}

export async function readClaim(
  claim: ClaimName,
  { deps, operation }: Deps,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  return await operation.api(signal).call(() => readObject({ type: PERSISTENT_VOLUME_CLAIM, ...claim }, deps, signal));
}

/** The restore that began to fill a claim and did not finish. */
export function unfilledBy(claim: KubeObject | undefined): string | undefined {
  return textAt(claim, 'metadata', 'annotations', UNFILLED_ANNOTATION);
}
