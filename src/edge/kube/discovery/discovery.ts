import { AppError, objectsAt, textAt, toAppError, type JsonObject } from '../../../base/index.ts';
import { answerObject } from '../answer-object.ts';
import type { ApiResource, CallOptions, Discovery, DiscoveryFailure } from '../port.ts';
import { textListAt } from '../text-list.ts';
import { attemptAt } from '../transport/attempted.ts';
import type { Transport } from '../transport/transport.ts';

// v2beta1 (Kubernetes 1.26 to 1.29) has the same shape as v2.
const ACCEPT = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');
/** Group versions requested in parallel when the server does not aggregate. */
const PARALLEL = 8;

interface GroupVersion {
  group: string;
  version: string;
  preferred: boolean;
}
interface Found {
  resources: ApiResource[];
  failures: DiscoveryFailure[];
}

/** Two requests if the server aggregates (Kubernetes 1.26 and newer), else one more per group version. */
export async function discover(transport: Transport, options: CallOptions = {}): Promise<Discovery> {
  const roots = await Promise.all(['/api', '/apis'].map((root) => discoverRoot(transport, root, options)));
  return {
    resources: roots.flatMap((root) => root.resources),
    failures: roots.flatMap((root) => root.failures),
  };
}

async function discoverRoot(transport: Transport, root: string, options: CallOptions): Promise<Found> {
  const answer = await transport.request({ method: 'GET', path: root, accept: ACCEPT, ...options });
  const body = answerObject(attemptAt(transport, 'GET', root), answer);
  // An old server ignores the Accept header and sends the plain form.
  if (body['kind'] === 'APIGroupDiscoveryList') return readAggregated(body);
  const groupVersions = root === '/api' ? coreVersions(body) : listedVersions(body);
  return askEach(transport, groupVersions, options);
}

function readAggregated(body: JsonObject): Found {
  const found: Found = { resources: [], failures: [] };
  for (const item of objectsAt(body, 'items')) {
    const group = textAt(item, 'metadata', 'name') ?? '';
    for (const [index, entry] of objectsAt(item, 'versions').entries()) {
      const version = textAt(entry, 'version') ?? '';
      // A stale entry lists what an extension server served before it stopped answering.
      if (entry['freshness'] === 'Stale') found.failures.push({ group, version, error: staleError(group, version) });
      else found.resources.push(...readResources({ group, version, preferred: index === 0 }, entry));
    }
  }
  return found;
}

function staleError(group: string, version: string): AppError {
  return new AppError('unreachable', `discover ${group}/${version}: the extension server behind it does not answer`);
}

function readResources(of: GroupVersion, entry: JsonObject): ApiResource[] {
  return objectsAt(entry, 'resources').flatMap((resource) => {
    const kind = textAt(resource, 'responseKind', 'kind');
    // A resource without a kind exists only for its subresources; it cannot be read or listed.
    if (kind === undefined) return [];
    const subresources = objectsAt(resource, 'subresources').map((sub) => ({
      name: textAt(sub, 'subresource') ?? '',
      kind: textAt(sub, 'responseKind', 'kind') ?? '',
      verbs: textListAt(sub, 'verbs'),
    }));
    return [
      {
        ...of,
        kind,
        plural: textAt(resource, 'resource') ?? '',
        namespaced: resource['scope'] === 'Namespaced',
        singular: textAt(resource, 'singularResource') ?? '',
        ...namesAndVerbs(resource),
        subresources,
      },
    ];
  });
}

function namesAndVerbs(resource: JsonObject): Pick<ApiResource, 'shortNames' | 'categories' | 'verbs'> {
  return {
    shortNames: textListAt(resource, 'shortNames'),
    categories: textListAt(resource, 'categories'),
    verbs: textListAt(resource, 'verbs'),
  };
}

function coreVersions(body: JsonObject): GroupVersion[] {
  return textListAt(body, 'versions').map((version, index) => ({ group: '', version, preferred: index === 0 }));
}

function listedVersions(body: JsonObject): GroupVersion[] {
  return objectsAt(body, 'groups').flatMap((entry) => {
    const preferred = textAt(entry, 'preferredVersion', 'version');
    return objectsAt(entry, 'versions').map((item) => {
      const version = textAt(item, 'version') ?? '';
      return { group: textAt(entry, 'name') ?? '', version, preferred: version === preferred };
    });
  });
}

async function askEach(transport: Transport, all: readonly GroupVersion[], options: CallOptions): Promise<Found> {
  const found: Found[] = [];
  const queue = all.entries();
  const worker = async (): Promise<void> => {
    for (const [index, one] of queue) found[index] = await askOne(transport, one, options);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return {
    resources: found.flatMap((one) => one.resources),
    failures: found.flatMap((one) => one.failures),
  };
}

async function askOne(transport: Transport, of: GroupVersion, options: CallOptions): Promise<Found> {
  const path = of.group === '' ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
  try {
    const answer = await transport.request({ method: 'GET', path, ...options });
    return { resources: readPlain(of, answerObject(attemptAt(transport, 'GET', path), answer)), failures: [] };
  } catch (error) {
    options.signal?.throwIfAborted();
    // One extension server that is down must not hide the rest of the cluster; the caller sees it in `failures`.
    return { resources: [], failures: [{ group: of.group, version: of.version, error: toAppError(error) }] };
  }
}

function readPlain(of: GroupVersion, body: JsonObject): ApiResource[] {
  const entries = objectsAt(body, 'resources').map((entry) => ({ entry, path: textAt(entry, 'name') ?? '' }));
  return entries
    .filter(({ path }) => path !== '' && !path.includes('/'))
    .map(({ entry, path }) => ({
      ...of,
      kind: textAt(entry, 'kind') ?? '',
      plural: path,
      namespaced: entry['namespaced'] === true,
      singular: textAt(entry, 'singularName') ?? '',
      ...namesAndVerbs(entry),
      subresources: entries
        .filter((other) => other.path.startsWith(`${path}/`))
        .map((other) => ({
          name: other.path.slice(path.length + 1),
          kind: textAt(other.entry, 'kind') ?? '',
          verbs: textListAt(other.entry, 'verbs'),
        })),
    }));
}
