import { Backup } from '../../../../api/index.ts';
import { AppError, isAppError, objectsAt } from '../../../../base/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { Findings, NO_WAIT, patienceOf } from '../../../operation/index.ts';
import { patchObject, withCondition, withoutCondition } from '../../../runtime/objects/index.ts';
import type { ControlDeps } from '../../ports.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { mayBeFrozen, PODS_MAY_BE_FROZEN } from './frozen-condition.ts';
import { HookRecord, HOOKS_FINALIZER, openHooksOf } from './hook-record.ts';
import { PodHooks } from './pod-hooks.ts';

/** How long to wait for the API server; it is retried later. */
const PATIENCE_MS = 30_000;
/** A pod that cannot be reached must not keep an object forever that somebody wants deleted. */
const DELETION_LIMIT_MS = 10 * 60_000;

/** Runs the missing post hooks of a backup that has ended or is being deleted. Throws while some are left. */
export async function thawLeftovers(backup: KubeObject, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const { kube, clock, log } = deps;
  const patience = patienceOf({ wait: () => NO_WAIT }, deps, PATIENCE_MS);
  let current = backup;
  const store = async (openHooks: Parameters<ConstructorParameters<typeof HookRecord>[1]>[0]): Promise<void> => {
    const { finalizers = [] } = current.metadata;
    const rest = finalizers.filter((name) => name !== HOOKS_FINALIZER);
    const body = {
      ...(openHooks === null ? { metadata: { finalizers: rest } } : {}),
      status: {
        openHooks,
        conditions: conditionsWith(current, openHooksOf({ ...current, status: { openHooks } }), deps),
      },
    };
    current = await patchObject({ type: Backup, object: current, deps, signal }, body);
  };
  const record = new HookRecord(backup, store);
  const spec = specOf(backup);
  const hooks = new PodHooks({
    ...{ kube, clock, record, lasting: signal },
    hooks: spec?.hooks,
    api: (until) => patience.until(until),
    findings: new Findings(log.child({ backup: backup.metadata.name }), FINDING_TEXTS),
    onCurrent: () => undefined,
    onWaiting: () => NO_WAIT,
  });
  if (spec !== undefined) await hooks.closeAll();
  if (hooks.open.length === 0) return;
  const { deletionTimestamp = '' } = backup.metadata;
  if (clock.now() - Date.parse(deletionTimestamp) > DELETION_LIMIT_MS) {
    log.error('backup is gone and pods may be frozen', { backup: backup.metadata.name, pods: [...hooks.open] });
    await store(null);
    return;
  }
  // Also for a backup that was set aside before anybody could check its pods.
  if (!hasCondition(current)) await store(hooks.open.map((pod) => ({ ...pod })));
  throw new AppError('unreachable', mayBeFrozen(hooks.open).message);
}

/** Undefined when somebody made it unreadable: then nobody knows any more which hooks there were. */
function specOf(backup: KubeObject): Backup['spec'] | undefined {
  try {
    return Backup.parse(backup).value.spec;
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    return undefined;
  }
}

function hasCondition(backup: KubeObject): boolean {
  return objectsAt(backup, 'status', 'conditions').some(({ type }) => type === PODS_MAY_BE_FROZEN);
}

function conditionsWith(
  backup: KubeObject,
  open: readonly { namespace: string; name: string }[],
  { clock }: Pick<ControlDeps, 'clock'>,
): ReturnType<typeof withCondition> {
  return open.length === 0
    ? withoutCondition(backup, PODS_MAY_BE_FROZEN)
    : withCondition(backup, mayBeFrozen(open), clock.now());
}
