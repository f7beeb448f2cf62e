import { isReadable } from '../../../api/kanister/action-object.ts';
import { EVENT } from '../../../api/index.ts';
import { objectsAt, textAt, textsAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { serverTime } from '../../runtime/objects/index.ts';
import type { ActionDeps } from './deps.ts';
import { FINALIZER } from './finalizer.ts';

/**
 * Kanister's controller leaves a set alone whose object has a kind that it does not know, and another controller that
 * knows the kind may take it. So do we, for as long as such a controller needs to say that it is there.
 */
const LEFT_ALONE_MS = 10_000;
/** Kubernetes' times have whole seconds. */
const ROUNDING_MS = 1_000;

/** For how long a set is still to be left alone; undefined when nobody has taken it in time. */
export async function leftAloneMs(
  { metadata }: KubeObject,
  { kube, clock }: Pick<ActionDeps, 'kube' | 'clock'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { namespace = '', name, uid, creationTimestamp = '' } = metadata;
  const involvedObject = { kind: 'ActionSet', namespace, name, ...(uid !== undefined && { uid }) };
  // By the clock that wrote when it was made, so that a restart, or a clock of ours that is wrong, changes nothing.
  const now = (await serverTime(kube, { type: EVENT, namespace, fields: { involvedObject } }, signal)) ?? clock.now();
  const left = LEFT_ALONE_MS + ROUNDING_MS - (now - Date.parse(creationTimestamp));
  // A time that cannot be read is long ago.
  return left > 0 ? Math.min(left, LEFT_ALONE_MS + ROUNDING_MS) : undefined;
}

/** Whether another controller has taken it in that time: it has a status, and we would have refused it. */
export function isTakenByAnother(set: KubeObject): boolean {
  if (textAt(set, 'status', 'state') === undefined || set.metadata.finalizers?.includes(FINALIZER) === true)
    return false;
  return objectsAt(set, 'spec', 'actions').some((action: JsonObject) => !isReadable(textsAt(action, 'object')));
}
