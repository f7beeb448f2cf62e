import { AppError } from '../../../base/index.ts';
import { nearMisses } from './near-misses.ts';
import type { ApiResource, Discovery } from '../port.ts';

/**
 * The kind that a person means by `pods`, `po`, `Pod`, `deployments.apps` or `deployments.v1.apps`, ignoring case. As
 * in kubectl, without a version it is the group's preferred one that serves the kind. A name used in several groups
 * means the core one (`events`, and `pods` beside metrics.k8s.io). If none is core, kubectl silently picks one; we ask,
 * because a backup of the wrong kind looks like a good one.
 */
export function findResource(discovery: Discovery, text: string): ApiResource {
  const wanted = text.toLowerCase();
  const [name = '', ...rest] = wanted.split('.');
  const qualifier = rest.join('.');
  for (const matches of [hasName, hasShortName]) {
    const named = discovery.resources.filter((resource) => matches(resource, name) && isIn(resource, qualifier));
    const byGroup = Map.groupBy(named, (resource) => resource.group);
    if (byGroup.size === 0) continue;
    const candidates = byGroup.get('') ?? (byGroup.size === 1 ? named : undefined);
    if (candidates === undefined) throw ambiguous(text, [...byGroup.values()].map(bestVersion));
    return bestVersion(candidates);
  }
  throw unknown(discovery, text, wanted);
}

/** The kind of an object that names its own apiVersion; undefined if the cluster does not serve it. */
export function findKind(discovery: Discovery, apiVersion: string, kind: string): ApiResource | undefined {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return discovery.resources.find(
    (resource) => resource.group === group && resource.version === version && resource.kind === kind,
  );
}

function hasName(resource: ApiResource, name: string): boolean {
  // Some servers give no singular, and an empty name must not match those.
  if (name === '') return false;
  return resource.plural === name || resource.singular === name || resource.kind.toLowerCase() === name;
}

function hasShortName(resource: ApiResource, name: string): boolean {
  return resource.shortNames.includes(name);
}

// `v1.apps` may be version and group, or a group whose first label looks like a version; both readings are accepted.
function isIn(resource: ApiResource, qualifier: string): boolean {
  return (
    qualifier === '' ||
    qualifier === resource.group ||
    qualifier === (resource.group === '' ? resource.version : `${resource.version}.${resource.group}`)
  );
}

/** Of the versions of one group, the preferred one, else the first in the server's order. */
function bestVersion(resources: readonly ApiResource[]): ApiResource {
  const best = resources.find((resource) => resource.preferred) ?? resources[0];
  if (best === undefined) throw new AppError('bug', 'choose a version: expected at least one kind');
  return best;
}

function ambiguous(text: string, candidates: readonly ApiResource[]): AppError {
  const names = candidates.map(qualifiedName);
  return new AppError('invalid', `find resource "${text}": several groups have it, say which: ${names.join(', ')}`, {
    details: { candidates: names },
  });
}

function unknown(discovery: Discovery, text: string, wanted: string): AppError {
  const spellings = new Map<string, string>();
  for (const resource of discovery.resources) {
    const name = qualifiedName(resource);
    for (const spelling of [
      resource.plural,
      resource.singular,
      resource.kind.toLowerCase(),
      ...resource.shortNames,
      name,
    ]) {
      if (spelling !== '' && !spellings.has(spelling)) spellings.set(spelling, name);
    }
  }
  const near = nearMisses(wanted, spellings);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  const broken = discovery.failures.map(({ group, version }) => `${group === '' ? 'core' : group}/${version}`);
  const blind = broken.length === 0 ? '' : ` (unknown, because they did not answer: ${broken.join(', ')})`;
  return new AppError('notFound', `find resource "${text}": the cluster serves no kind of that name${blind}${hint}`, {
    details: { near },
  });
}

function qualifiedName(resource: ApiResource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}
