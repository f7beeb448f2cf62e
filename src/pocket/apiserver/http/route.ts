import { badRequest } from '../errors/index.ts';

export interface ResourceRoute {
  kind: 'resource';
  group: string;
  version: string;
  plural: string;
  /** Undefined for cluster-scoped resources and for lists over all namespaces. */
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
}

export type Route =
  | ResourceRoute
  | { kind: 'legacyGroups' }
  | { kind: 'groups' }
  | { kind: 'group'; group: string }
  | { kind: 'resources'; group: string; version: string }
  | { kind: 'openApi'; path: string }
  | { kind: 'other'; path: string };

const NAMESPACE_PARTS = new Set(['status', 'finalize']);

/** What a path of the Kubernetes API means. */
export function routeOf(path: string): Route {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first] = segments;
  if (first === 'api') {
    const [, version] = segments;
    if (version === undefined) return { kind: 'legacyGroups' };
    return inVersion({ group: '', version: decode(version) }, segments.slice(2));
  }
  if (first === 'apis') {
    const [, group, version] = segments;
    if (group === undefined) return { kind: 'groups' };
    if (version === undefined) return { kind: 'group', group: decode(group) };
    return inVersion({ group: decode(group), version: decode(version) }, segments.slice(3));
  }
  if (first === 'openapi' && segments[1] === 'v3')
    return { kind: 'openApi', path: segments.slice(2).map(decode).join('/') };
  return { kind: 'other', path };
}

function inVersion(at: { group: string; version: string }, rest: readonly string[]): Route {
  const [first, second, third] = rest.map(decode);
  if (first === undefined) return { kind: 'resources', ...at };
  const isInside = first === 'namespaces' && second !== undefined && third !== undefined && !NAMESPACE_PARTS.has(third);
  const [plural = '', name, subresource, ...more] = isInside ? rest.slice(2).map(decode) : rest.map(decode);
  const namespace = isInside ? second : undefined;
  const tail = more.length > 0 ? [subresource ?? '', ...more].join('/') : subresource;
  return { kind: 'resource', ...at, plural, namespace, name, subresource: tail };
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(segment.slice(0, 100))}`);
  }
}
