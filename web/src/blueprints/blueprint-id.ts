/** Which Blueprint: as one part of an address. */
export interface BlueprintKey {
  cluster: string;
  namespace: string;
  name: string;
}

/** Neither namespaces nor names have a slash, but the name of a cluster may. */
export function blueprintId({ cluster, namespace, name }: BlueprintKey): string {
  return `${cluster}/${namespace}/${name}`;
}

export function readBlueprintId(id: string): BlueprintKey {
  const parts = id.split('/');
  return { cluster: parts.slice(0, -2).join('/'), namespace: parts.at(-2) ?? '', name: parts.at(-1) ?? '' };
}
