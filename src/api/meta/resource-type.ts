/** What is needed to build a URL for a kind: the result of the REST mapping, and the constant part of our own kinds. */
export interface ResourceType {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
  /** The plural in URLs, such as `backups`. */
  plural: string;
  namespaced: boolean;
}

export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}
