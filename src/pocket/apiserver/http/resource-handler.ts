import { hasSubresource } from '../registry/index.ts';
import { methodNotAllowed, unknownResource } from '../errors/index.ts';
import type { ApiServer } from '../api-server.ts';
import type { Answer } from './answer.ts';
import { create, deleteCollection, deleteOne, patch, replace } from './write-handlers.ts';
import type { Exchange } from './exchange.ts';
import { getOne, listOrWatch } from './read-handlers.ts';
import type { ResourceRoute } from './route.ts';
import type { Target } from './target.ts';
import { handleSubresource } from './subresource-handlers.ts';

type Handler = (server: ApiServer, target: Target, exchange: Exchange) => Promise<Answer | undefined>;

const ON_COLLECTION: Readonly<Record<string, { verb: string; handle: Handler }>> = {
  GET: { verb: 'list', handle: listOrWatch },
  POST: { verb: 'create', handle: create },
  DELETE: { verb: 'deletecollection', handle: deleteCollection },
};
const ON_OBJECT: Readonly<Record<string, { verb: string; handle: Handler }>> = {
  GET: { verb: 'get', handle: getOne },
  PUT: { verb: 'update', handle: replace },
  PATCH: { verb: 'patch', handle: patch },
  DELETE: { verb: 'delete', handle: deleteOne },
};

/** Undefined when the handler answers by itself, as watches do. */
export async function handleResource(
  server: ApiServer,
  route: ResourceRoute,
  exchange: Exchange,
): Promise<Answer | undefined> {
  const target = targetOf(server, route);
  const { resource } = target;
  if (resource.deprecation !== undefined) exchange.warnings.push(resource.deprecation);
  if (route.subresource !== undefined) {
    if (!hasSubresource(resource, route.subresource)) throw unknownResource();
    return handleSubresource(server, { ...target, subresource: route.subresource }, exchange);
  }
  const method = exchange.request.method === 'HEAD' ? 'GET' : (exchange.request.method ?? '');
  const found = (route.name === undefined ? ON_COLLECTION : ON_OBJECT)[method];
  if (found === undefined || !resource.verbs.includes(found.verb)) throw methodNotAllowed();
  // Over all namespaces one may only look.
  if (method !== 'GET' && resource.namespaced && route.namespace === undefined) throw methodNotAllowed();
  return found.handle(server, target, exchange);
}

function targetOf(server: ApiServer, route: ResourceRoute): Target {
  const resource = server.types.find(route.group, route.version, route.plural);
  if (resource === undefined) throw unknownResource();
  const isInNamespace = route.namespace !== undefined;
  if (isInNamespace && !resource.namespaced) throw unknownResource();
  if (route.name !== undefined && resource.namespaced && !isInNamespace) throw unknownResource();
  return { resource, namespace: route.namespace ?? '', name: route.name ?? '' };
}
