import type { Condition } from '../../../api/index.ts';
import { objectsAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { removeCondition, setCondition, type ConditionChange } from '../status/index.ts';

/** The object's conditions with one set, ready to be written. */
export function withCondition(object: KubeObject, change: ConditionChange, now: number): JsonObject[] {
  return setCondition(conditionsOf(object), change, now);
}

export function withoutCondition(object: KubeObject, type: string): JsonObject[] {
  return removeCondition(conditionsOf(object), type);
}

/** The API server checked them when they were written. */
function conditionsOf(object: KubeObject): Condition[] {
  return objectsAt(object, 'status', 'conditions') as unknown as Condition[];
}
