import { stringifyJson, type JsonObject } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import type { ApiServer } from '../api-server.ts';
import { badRequest, internalError, invalidOption, notFound, tooLargeVersion } from '../errors/index.ts';
import { listObjects, notANumber, select, wholeNumberOf, type ListOptions, type ListResult } from '../list/index.ts';
import { itemTextOf, textOf, type Resource } from '../registry/index.ts';
import type { Stored } from '../store/index.ts';
import { partialObject, Tables } from '../table/index.ts';
import { isTrue, watchOptions } from '../watch/index.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { negotiate, type Form } from './negotiate.ts';
import type { Target } from './target.ts';
import { WatchResponse } from './watch-response.ts';

export function getOne(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer | undefined> {
  const { resource, namespace, name } = target;
  if (isWatch(exchange.query)) return watch(server, target, exchange);
  checkVersion(server, exchange.query.get('resourceVersion') ?? '');
  const stored = server.store.read(resource.storage, namespace, name);
  if (stored === undefined) throw notFound(resource, name);
  return Promise.resolve(objectAnswer(server, { resource, stored, code: 200 }, exchange));
}

/** One object is always answered as it is now; a version that does not exist yet is refused all the same. */
function checkVersion({ store }: ApiServer, version: string): void {
  if (!/^\d{0,15}$/.test(version)) throw internalError(notANumber(version));
  if (Number(version) > store.rv) throw tooLargeVersion(Number(version), store.rv);
}

/** One object in the form the client asked for. */
export function objectAnswer(
  server: ApiServer,
  found: { resource: Resource; stored: Stored; code: number },
  exchange: Exchange,
): Answer {
  const { resource, stored, code } = found;
  const form = negotiate(exchange.request.headers.accept);
  switch (form.as) {
    case 'objects':
      return { code, body: textOf(resource, stored) };
    case 'metadata':
      return {
        code,
        body: stringifyJson(partialObject(stored, form.version)),
      };
    case 'table': {
      const metadata = { resourceVersion: String(stored.rv) };
      const table = tablesFor(server, resource, form, exchange).ofObjects([stored], metadata);
      return { code, body: stringifyJson(table) };
    }
  }
}

export function listOrWatch(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer | undefined> {
  if (isWatch(exchange.query)) return watch(server, target, exchange);
  const { resource } = target;
  const result = listObjects(server.store, selectionOf(target, exchange.query), listOptions(exchange.query));
  return Promise.resolve(listAnswer(server, resource, result, exchange));
}

export function selectionOf({ resource, namespace }: Target, query: URLSearchParams): ReturnType<typeof select> {
  return select(resource, {
    namespace: namespace === '' ? undefined : namespace,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
  });
}

export function listAnswer(server: ApiServer, resource: Resource, result: ListResult, exchange: Exchange): Answer {
  const form = negotiate(exchange.request.headers.accept);
  const metadata: JsonObject = {
    resourceVersion: String(result.rv),
    ...(result.continue === undefined ? {} : { continue: result.continue }),
    ...(result.remaining === undefined ? {} : { remainingItemCount: result.remaining }),
  };
  switch (form.as) {
    case 'objects': {
      const head = { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata };
      const items = result.items.map((stored) => itemTextOf(resource, stored)).join(',');
      return { code: 200, body: `${JSON.stringify(head).slice(0, -1)},"items":[${items}]}` };
    }
    case 'metadata': {
      const items = result.items.map((stored) => partialObject(stored, form.version));
      const apiVersion = `meta.k8s.io/${form.version}`;
      const list = { kind: 'PartialObjectMetadataList', apiVersion, metadata, items };
      return { code: 200, body: stringifyJson(list) };
    }
    case 'table': {
      const table = tablesFor(server, resource, form, exchange).ofObjects(result.items, metadata);
      return { code: 200, body: stringifyJson(table) };
    }
  }
}

function listOptions(query: URLSearchParams): ListOptions {
  if (query.has('sendInitialEvents')) {
    const message = 'Forbidden: sendInitialEvents is forbidden for list';
    throw invalidOption('ListOptions', { reason: 'FieldValueForbidden', message, field: 'sendInitialEvents' });
  }
  return {
    limit: Math.max(0, wholeNumberOf(query, 'limit') ?? 0),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  };
}

function isWatch(query: URLSearchParams): boolean {
  return isTrue(query.get('watch'));
}

/** Answers by itself: the stream stays open until its time is up, the client goes or the server stops. */
function watch(server: ApiServer, target: Target, exchange: Exchange): Promise<undefined> {
  const { query, response } = exchange;
  const options = watchOptions(query);
  const selection = selectionOf(target, query);
  const named = target.name === '' ? selection : { ...selection, name: target.name };
  const form = negotiate(exchange.request.headers.accept);
  const includeObject = includeObjectOf(query);
  const sink = new WatchResponse(response, target.resource, { ...form, includeObject, now: server.now });
  const stop = server.hub.start(named, sink, options);
  response.on('close', stop);
  return Promise.resolve(undefined);
}

function tablesFor(server: ApiServer, resource: Resource, form: Form, { query }: Exchange): Tables {
  return new Tables(resource, { version: form.version, includeObject: includeObjectOf(query), now: server.now });
}

function includeObjectOf(query: URLSearchParams): string {
  const asked = query.get('includeObject') ?? '';
  if (!['', 'None', 'Metadata', 'Object'].includes(asked)) {
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(asked.slice(0, 100))}`);
  }
  return asked;
}
