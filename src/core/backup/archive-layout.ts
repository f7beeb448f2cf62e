import type { ItemKey } from '../progress/index.ts';
import { checkFormatVersion, FORMAT_VERSION } from './format-version.ts';

const ROOT = 'resources';
const PREFERRED = '-preferredversion';
const JSON_SUFFIX = '.json';

/** Where Velero stores items in its tarball: each twice, once without and once with its API version. */
export const VELERO_LAYOUT = {
  version: { path: 'metadata/version', text: `${FORMAT_VERSION}\n`, check: checkFormatVersion },
  pathsOf,
  itemAt,
} as const;

function pathsOf(item: ItemKey, version: string): readonly string[] {
  const tail = tailOf(item);
  return [`${ROOT}/${item.groupResource}/${tail}`, `${ROOT}/${item.groupResource}/${version}${PREFERRED}/${tail}`];
}

function tailOf({ namespace, name }: ItemKey): string {
  return namespace === undefined ? `cluster/${name}${JSON_SUFFIX}` : `namespaces/${namespace}/${name}${JSON_SUFFIX}`;
}

/**
 * The item at an unversioned path. The per-version copies contain nothing more, and Velero does not read them either.
 */
function itemAt(path: string): ItemKey | undefined {
  const [root, groupResource, scope, ...rest] = path.split('/');
  const file = rest.pop();
  if (root !== ROOT || !isName(groupResource) || file === undefined || !file.endsWith(JSON_SUFFIX)) return undefined;
  const name = file.slice(0, -JSON_SUFFIX.length);
  if (!isName(name)) return undefined;
  if (scope === 'cluster' && rest.length === 0) return { groupResource, name };
  const [namespace] = rest;
  return scope === 'namespaces' && rest.length === 1 && isName(namespace)
    ? { groupResource, namespace, name }
    : undefined;
}

function isName(part: string | undefined): part is string {
  return part !== undefined && part !== '' && part !== '.' && part !== '..';
}
