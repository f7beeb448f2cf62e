import { AppError, type JsonObject } from '../../base/index.ts';
import { apiVersionOf, type ResourceType } from '../../api/meta/resource-type.ts';
import { present } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

const MAX_NAME = 253;
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

export interface NewObject {
  type: ResourceType;
  namespace: string;
  name: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  spec: JsonObject;
}

export function newObject({ type, namespace, name, labels, annotations, spec }: NewObject): KubeObject {
  if (name.length > MAX_NAME || !NAME.test(name)) {
    throw new AppError(
      'usage',
      `"${name}" is not a valid name for a ${type.kind}: expected lower-case letters, digits, dashes and dots, at most ${String(MAX_NAME)}`,
    );
  }
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name, namespace, ...present({ labels, annotations }) },
    spec,
  };
}

/**
 * `nightly-20261116004512`, as velero ends the names it makes; in UTC, so that everybody makes the same. A name that
 * leaves no room for that is cut.
 */
export function stampedName(base: string, now: number, digits = 14): string {
  const stamp = new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, digits);
  return `${base.slice(0, MAX_NAME - stamp.length - 1).replace(/[.-]+$/, '')}-${stamp}`;
}
