import { assertNever, isAppError, messageOf, textAt, type JsonObject } from '../../../../base/index.ts';
import type { Outcome } from '../../../../core/progress/index.ts';
import {
  aboutItem,
  decideExisting,
  isTouchedBy,
  type ExistingPolicy,
  type RestoreNames,
} from '../../../../core/restore/index.ts';
import type { KubeObject, NamedTarget } from '../../../../edge/kube/index.ts';
import type { RestoreContext } from '../context.ts';
import type { Sending } from './sending.ts';

export interface Existing extends Sending {
  wanted: KubeObject;
  current: KubeObject;
  target: NamedTarget;
  policy: ExistingPolicy;
  names: RestoreNames;
}

/** Handles an object that was in the cluster before the restore. Undefined if it has gone since. */
export async function settleExisting(context: RestoreContext, existing: Existing): Promise<Outcome | undefined> {
  const { item, current, wanted, policy, names } = existing;
  const { groupResource } = item.target;
  const decision = decideExisting({ groupResource, inCluster: current, wanted, policy, names });
  try {
    switch (decision.kind) {
      case 'skip':
        // The first attempt of this restore has already changed it.
        return context.status.isResumed && isTouchedBy(current, names) ? 'updated' : 'skipped';
      case 'relabel':
        await patch(context, existing, decision.patch);
        return 'skipped';
      case 'patch':
        return await update(context, existing, decision);
      case 'warn':
        warn(context, existing, decision.message);
        return 'skipped';
      default:
        return assertNever(decision, 'decision about an existing object');
    }
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}

interface Update {
  patch: JsonObject;
  labelsOnly: JsonObject | undefined;
}

async function update(context: RestoreContext, existing: Existing, change: Update): Promise<Outcome> {
  try {
    await patch(context, existing, change.patch);
    return 'updated';
  } catch (error) {
    // Some fields of an existing object cannot be changed; that is no reason to fail, and Velero does not either.
    if (!isAppError(error, 'invalid', 'forbidden')) throw error;
    const { wanted } = existing;
    const what = `${wanted.kind} ${textAt(wanted, 'metadata', 'name') ?? ''}`;
    warn(context, existing, `${what} exists, differs and cannot be updated: ${messageOf(error)}`);
  }
  if (change.labelsOnly !== undefined) await patch(context, existing, change.labelsOnly);
  return 'skipped';
}

async function patch(
  { deps, api, changes: signal }: RestoreContext,
  { target }: Existing,
  body: JsonObject,
): Promise<void> {
  await api.call(() => deps.kube.patchUnread(target, { kind: 'merge', body }, { signal }));
}

function warn({ findings }: RestoreContext, { item }: Existing, text: string): void {
  findings.warn(aboutItem(item.target.namespace), text);
}
