export type NamespaceMapping = Readonly<Record<string, string>>;

/** The namespace that a namespace of the backup is restored into. */
export function mapNamespace(namespace: string, mapping: NamespaceMapping | undefined): string {
  return mapping !== undefined && Object.hasOwn(mapping, namespace) ? (mapping[namespace] ?? namespace) : namespace;
}
