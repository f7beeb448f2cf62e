/** One object of the cluster or of an archive, regardless of its API version. */
export interface ItemKey {
  /** Resource and group, such as `deployments.apps` or `pods`. */
  groupResource: string;
  /** Absent for cluster-scoped items. In a restore: the namespace it goes into. */
  namespace?: string;
  name: string;
}

/** For maps and sets. No part can contain a slash: all three are path segments of an archive or a URL. */
export function itemId({ groupResource, namespace, name }: ItemKey): string {
  return `${groupResource}/${namespace ?? ''}/${name}`;
}

/** For people: `secrets shop/db`. */
export function itemName({ groupResource, namespace, name }: ItemKey): string {
  return `${groupResource} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
