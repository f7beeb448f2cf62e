/** Identifies one object of a cluster. `apiVersion` is `v1` for the core group. */
export interface ObjectRef {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  uid?: string;
}

/** Equal for equal references. A name cannot contain a slash, so two references never share a key. */
export function refKey(ref: ObjectRef): string {
  return `${ref.apiVersion}|${ref.kind}|${ref.namespace ?? ''}/${ref.name}`;
}

/** As people write it: `Pod shop/web-0`, `Namespace shop`. */
export function formatRef(ref: ObjectRef): string {
  return ref.namespace === undefined ? `${ref.kind} ${ref.name}` : `${ref.kind} ${ref.namespace}/${ref.name}`;
}
