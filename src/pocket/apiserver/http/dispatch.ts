import type { JsonObject } from '../../../base/index.ts';
import { openApiV2 } from '../../openapi/index.ts';
import type { ApiServer } from '../api-server.ts';
import { aggregated, coreVersions, groupDocument, groupList, resourceList } from '../discovery/index.ts';
import { methodNotAllowed, unauthorized, unknownResource } from '../errors/index.ts';
import { json, plainText, type Answer } from './answer.ts';
import type { Authenticator } from './authenticator.ts';
import type { Exchange } from './exchange.ts';
import { negotiateDiscovery } from './negotiate.ts';
import { handleResource } from './resource-handler.ts';
import { routeOf, type Route } from './route.ts';
import { VERSION } from './version.ts';

const NOT_A_PAGE = plainText(404, '404 page not found\n');
const OPEN_PATHS = /^\/(?:(?:healthz|livez|readyz)(?:\/\w+)?|version)$/;
const YEAR_MS = 365 * 24 * 3_600_000;

/** From a request to its answer; undefined when the handler answers by itself. */
export async function dispatch(
  server: ApiServer,
  authenticator: Authenticator,
  exchange: Omit<Exchange, 'user'> & { path: string },
): Promise<Answer | undefined> {
  const user = authenticator.identify(exchange.request);
  if (user === undefined && !OPEN_PATHS.test(exchange.path)) throw unauthorized();
  const route = routeOf(exchange.path);
  if (route.kind === 'resource') {
    if (!server.types.hasGroupVersion(route.group, route.version)) return noVersion(server, route.group);
    return handleResource(server, route, { ...exchange, user: user ?? { name: '', groups: [] } });
  }
  if (exchange.request.method !== 'GET' && exchange.request.method !== 'HEAD') throw methodNotAllowed();
  return document(server, route, exchange);
}

function document(
  server: ApiServer,
  route: Exclude<Route, { kind: 'resource' }>,
  { request, query }: Pick<Exchange, 'request' | 'query'>,
): Answer {
  const { all } = server.types;
  const version = negotiateDiscovery(request.headers.accept);
  switch (route.kind) {
    case 'legacyGroups':
      return version === undefined
        ? json(200, coreVersions(request.headers.host ?? ''))
        : aggregatedAnswer(server, true, version);
    case 'groups':
      return version === undefined ? json(200, groupList(all)) : aggregatedAnswer(server, false, version);
    case 'group':
      return found(groupDocument(all, route.group)) ?? NOT_A_PAGE;
    case 'resources':
      return found(resourceList(all, route)) ?? noVersion(server, route.group);
    case 'openApi':
      return openApi(server, route.path, query);
    case 'other':
      return other(route.path, request.headers.accept, query);
  }
}

function aggregatedAnswer(server: ApiServer, isCore: boolean, version: string): Answer {
  return {
    ...json(200, aggregated(server.types.all, isCore, version)),
    type: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    headers: { Vary: 'Accept' },
  };
}

function found(document: JsonObject | undefined): Answer | undefined {
  return document === undefined ? undefined : json(200, document);
}

/** A group the server has answers for all its versions; of others it knows nothing. */
function noVersion(server: ApiServer, group: string): Answer {
  if (server.types.hasBuiltinGroup(group)) throw unknownResource();
  return NOT_A_PAGE;
}

function openApi(server: ApiServer, path: string, query: URLSearchParams): Answer {
  if (path === '') return { code: 200, body: server.openApi.index() };
  const document = server.openApi.document(path);
  if (document === undefined) return NOT_A_PAGE;
  const asked = query.get('hash');
  if (asked !== null && asked !== '' && asked !== document.hash) {
    const headers = { Location: `/openapi/v3/${path}?hash=${encodeURIComponent(document.hash)}` };
    return { ...plainText(301, ''), headers };
  }
  if (asked === null || asked === '')
    return { code: 200, body: document.body, headers: { ETag: `"${document.hash}"` } };
  // The hash is in the address, so what stands there never changes.
  const expires = new Date(server.now() + YEAR_MS).toUTCString();
  const headers = { ETag: `"${document.hash}"`, 'Cache-Control': 'public, immutable', Expires: expires };
  return { code: 200, body: document.body, headers };
}

const HEALTH = /^\/(healthz|livez|readyz)(?:\/(\w+))?$/;
/** What is looked at; in one process they are well, or there is no answer. */
const CHECKS = ['ping', 'log', 'etcd'];

function health([, name = '', check]: readonly string[], isVerbose: boolean): Answer {
  if (check !== undefined && !CHECKS.includes(check)) return NOT_A_PAGE;
  if (check !== undefined || !isVerbose) return plainText(200, 'ok');
  return plainText(200, [...CHECKS.map((one) => `[+]${one} ok`), `${name} check passed`, ''].join('\n'));
}

function other(path: string, accept: string | undefined, query: URLSearchParams): Answer {
  const asked = HEALTH.exec(path);
  if (asked !== null) return health(asked, query.has('verbose'));
  switch (path) {
    case '/version':
      return json(200, VERSION);
    case '/openapi/v2':
      return { code: 200, ...openApiV2(accept), headers: { Vary: 'Accept' } };
    case '/':
      return json(200, {
        paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
      });
    default:
      return NOT_A_PAGE;
  }
}
