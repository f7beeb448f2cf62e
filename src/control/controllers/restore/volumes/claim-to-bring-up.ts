import { PERSISTENT_VOLUME_CLAIM, POD, Restore } from '../../../../api/index.ts';
import { AppError, isAppError } from '../../../../base/index.ts';
import {
  claimsMountedBy,
  decideBringUp,
  isEndPhase,
  planOfMigration,
  UNFILLED_ANNOTATION,
  type BringUpDecision,
} from '../../../../core/restore/index.ts';
import type { VolumeData } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../../runtime/objects/index.ts';
import type { ReadContext, RestoreContext } from '../context.ts';
import { unfilledBy } from './claim-mark.ts';

/** How often somebody else may change the claim while it is looked at. */
const TRIES = 5;

type Readable = Pick<ReadContext, 'restore' | 'deps' | 'api'>;

/** Whether a claim that exists gets what the backup has, as the cluster is now. */
export async function considerBringUp(
  claim: KubeObject,
  data: Pick<VolumeData, 'by' | 'plugin'>,
  context: Readable,
  signal: AbortSignal,
): Promise<BringUpDecision> {
  const { restore } = context;
  const question = {
    plan: planOfMigration(restore),
    claim,
    native: data.by === 'native' ? data.plugin : undefined,
    restoreUid: restore.metadata.uid ?? '',
  };
  // Most claims are nobody's but their owner's, and need no further question.
  const first = decideBringUp({ ...question, pods: [] });
  if (!first.isBroughtUp) return first;
  const filling = await anotherFilling(claim, context, signal);
  return decideBringUp({ ...question, filling, pods: await podsBeside(claim, context, signal) });
}

/**
 * Looks again, right before a mover starts, and marks the claim as unfilled in the version that was looked at. Returns why
 * the claim keeps what it has, or undefined.
 */
export async function takeToBringUp(
  { namespace, name }: { namespace: string; name: string },
  data: Pick<VolumeData, 'by' | 'plugin'>,
  context: RestoreContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { deps, operation } = context;
  const target = { type: PERSISTENT_VOLUME_CLAIM, namespace, name };
  for (let tries = 1; ; tries += 1) {
    const claim = await operation.api(signal).call(() => readObject(target, deps, signal));
    if (claim === undefined)
      throw new AppError('notFound', `fill PersistentVolumeClaim ${namespace}/${name}: it was deleted`);
    const decision = await considerBringUp(claim, data, context, signal);
    if (!decision.isBroughtUp) return decision.why ?? 'it is not of a plan any more';
    const { resourceVersion } = claim.metadata;
    const annotations = { [UNFILLED_ANNOTATION]: operation.object.metadata.name };
    const body = { metadata: { ...(resourceVersion === undefined ? {} : { resourceVersion }), annotations } };
    try {
      const options = { signal, deadlineMs: CALL_DEADLINE_MS };
      await operation.api(signal).call(() => deps.kube.patch(target, { kind: 'merge', body }, options));
      return undefined;
    } catch (error) {
      if (!isAppError(error, 'conflict') || tries === TRIES) throw error;
    }
  }
}

/** A restore that has not ended may come back to the claim; one that has, or is gone, left it as it is. */
async function anotherFilling(
  claim: KubeObject,
  { restore, deps, api }: Readable,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = unfilledBy(claim);
  if (name === undefined || name === restore.metadata.name) return undefined;
  const place = { type: Restore, namespace: deps.namespace, name };
  const other = await api.call(() => readObject(place, deps, signal));
  if (other === undefined) return undefined;
  return isEndPhase(Restore.parse(other).value.status.phase) ? undefined : name;
}

/** Those that mount the claim. */
async function podsBeside(
  { metadata: { name, namespace = '' } }: KubeObject,
  { deps, api }: Readable,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  return await api.call(async () => {
    const pods: KubeObject[] = [];
    // Straight from the server: a pod that was created a moment ago counts.
    for await (const { items } of deps.kube.list({ type: POD, namespace }, { signal })) {
      for (const pod of items) if (claimsMountedBy(pod)(name)) pods.push(pod);
    }
    return pods;
  });
}
