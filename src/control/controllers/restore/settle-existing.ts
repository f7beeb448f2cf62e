import { assertNever, isAppError, messageOf, textAt, type JsonObject } from '../../../base/index.ts';
import type { Outcome } from '../../../core/progress/index.ts';
import {
  aboutItem,
  decideExisting,
  isTouchedBy,
  type ExistingPolicy,
  type RestoreNames,
} from '../../../core/restore/index.ts';
import type { KubeObject, NamedTarget } from '../../../edge/kube/index.ts';
import type { Sending } from './sending.ts';
import type { Session } from './session.ts';

export interface Existing extends Sending {
  current: KubeObject;
  target: NamedTarget;
  policy: ExistingPolicy;
  names: RestoreNames;
}

/** What becomes of an object that was in the cluster before the restore. Undefined when it has gone meanwhile. */
export async function settleExisting(session: Session, existing: Existing): Promise<Outcome | undefined> {
  const { item, current, wanted, policy, names } = existing;
  const { groupResource } = item.target;
  const decision = decideExisting({ groupResource, inCluster: current, wanted, policy, names });
  try {
    switch (decision.kind) {
      case 'skip':
        // Of two attempts at one restore, the first has changed it.
        return session.status.isResumed && isTouchedBy(current, names) ? 'updated' : 'skipped';
      case 'relabel':
        await patch(session, existing, decision.patch);
        return 'skipped';
      case 'patch':
        return await update(session, existing, decision);
      case 'warn':
        warn(session, existing, decision.message);
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

async function update(session: Session, existing: Existing, change: Update): Promise<Outcome> {
  try {
    await patch(session, existing, change.patch);
    return 'updated';
  } catch (error) {
    // Some fields cannot be changed once an object is there; that is no reason to fail, and Velero does not either.
    if (!isAppError(error, 'invalid', 'forbidden')) throw error;
    const { wanted } = existing;
    const what = `${wanted.kind} ${textAt(wanted, 'metadata', 'name') ?? ''}`;
    warn(session, existing, `${what} exists, differs and cannot be updated: ${messageOf(error)}`);
  }
  if (change.labelsOnly !== undefined) await patch(session, existing, change.labelsOnly);
  return 'skipped';
}

async function patch({ deps, api, changes: signal }: Session, { target }: Existing, body: JsonObject): Promise<void> {
  await api.call(() => deps.kube.patch(target, { kind: 'merge', body }, { signal }));
}

function warn({ messages, log }: Session, { item }: Existing, text: string): void {
  log.warn('item was there already', { ...item.target, warning: text });
  messages.add({ level: 'warnings', about: aboutItem(item.target.namespace), text });
}
