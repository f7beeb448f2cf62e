import {
  HEADWAY_POD_LABEL,
  MIGRATED_BY_MIGRATION,
  MIGRATED_BY_PLAN,
  MIGRATION_RESTORE_LABELS,
  OWNER_UID_LABEL,
  type Restore,
} from '../../api/index.ts';
import { textAt, textsAt, type JsonObject } from '../../base/index.ts';
import { claimsMountedBy } from './mounts.ts';

/**
 * The uid of the plan, if a migration made this Restore. Three labels have to agree, so that nobody's own Restore gets
 * there by a label that was copied from something else.
 */
export function planOfMigration({ metadata }: { metadata: Pick<Restore['metadata'], 'labels'> }): string | undefined {
  const { labels = {} } = metadata;
  const { [MIGRATED_BY_PLAN]: plan = '', [MIGRATED_BY_MIGRATION]: migration = '' } = labels;
  const isOfMigration = migration !== '' && MIGRATION_RESTORE_LABELS.some((label) => labels[label] === migration);
  return plan !== '' && isOfMigration ? plan : undefined;
}

export interface BringUpQuestion {
  /** Of the restore. */
  plan: string | undefined;
  /** A claim that was there before the restore. */
  claim: JsonObject;
  /** The plugin that has to do it, if that writes its objects itself. */
  native?: string | undefined;
  /** Another restore that began to fill the claim and still works on it. */
  filling?: string | undefined;
  /** All of the claim's namespace. */
  pods: readonly JsonObject[];
  /** Of the restore: its own movers mount the claim too. */
  restoreUid: string;
}

/** Whether a claim that exists gets what the backup has; if not, and a migration asked for it, why. */
export type BringUpDecision = { isBroughtUp: true } | { isBroughtUp: false; why?: string };

export function decideBringUp({ plan, claim, ...question }: BringUpQuestion): BringUpDecision {
  if (plan === undefined || plan === '') return { isBroughtUp: false };
  const kept = (why: string): BringUpDecision => ({ isBroughtUp: false, why });
  if (textsAt(claim, 'metadata', 'labels')[MIGRATED_BY_PLAN] !== plan) {
    return kept("it does not carry the label of this migration's plan");
  }
  const { native, filling, pods, restoreUid } = question;
  if (textAt(claim, 'metadata', 'deletionTimestamp') !== undefined) return kept('it is being deleted');
  if (textAt(claim, 'spec', 'volumeMode') === 'Block') return kept('it is a block volume');
  if (native !== undefined) return kept(`plugin ${native} fills new claims only`);
  if (filling !== undefined) return kept(`restore ${filling} fills it`);
  const pod = mounterOf(textAt(claim, 'metadata', 'name') ?? '', pods, restoreUid);
  return pod === undefined ? { isBroughtUp: true } : kept(`pod ${pod} mounts it`);
}

/** The name of a pod that has not ended and mounts the claim, whoever started it, but for movers of this restore. */
function mounterOf(claim: string, pods: readonly JsonObject[], restoreUid: string): string | undefined {
  const pod = pods.find((one) => !hasEnded(one) && !isMoverOf(one, restoreUid) && claimsMountedBy(one)(claim));
  return pod === undefined ? undefined : (textAt(pod, 'metadata', 'name') ?? '');
}

function hasEnded(pod: JsonObject): boolean {
  const phase = textAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function isMoverOf(pod: JsonObject, uid: string): boolean {
  const labels = textsAt(pod, 'metadata', 'labels');
  return uid !== '' && labels[HEADWAY_POD_LABEL] === 'mover' && labels[OWNER_UID_LABEL] === uid;
}
