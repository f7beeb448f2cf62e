import { valueAt, type Json } from '../../../base/index.ts';

export type { KubeMeta as ApiMeta, KubeObject as ApiObject } from '../../../api/meta/kube-object.ts';

/** Empty where there is nothing, and for what is neither text nor number nor truth. */
export function scalarTextAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return found === undefined || found === null || typeof found === 'object' ? '' : String(found);
}

export function numberAt(value: Json | undefined, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
