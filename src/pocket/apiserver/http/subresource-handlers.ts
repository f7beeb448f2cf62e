import { isObject, stringifyJson, valueAt, type JsonObject } from '../../../base/index.ts';
import type { ApiServer } from '../api-server.ts';
import { badRequest, methodNotAllowed, notFound, statusError, unsupportedMedia } from '../errors/index.ts';
import { scalarTextAt, type ApiObject } from '../object/index.ts';
import {
  applyPatch,
  deleteObject,
  PATCH_TYPES,
  scaleOf,
  servedObject,
  timestamp,
  updateObject,
  withScale,
  type UpdateOptions,
} from '../registry/index.ts';
import type { Stored } from '../store/index.ts';
import { json, type Answer } from './answer.ts';
import { mediaTypeOf, readObject, readPatch } from './body.ts';
import { writeOptions, type Exchange } from './exchange.ts';
import { getOne, objectAnswer } from './read-handlers.ts';
import type { Target } from './target.ts';
import { podLog, podPorts, podTalk } from './pod-handlers.ts';
import { issueToken } from './token-handler.ts';
import { deleteOptions, patchPart } from './write-handlers.ts';

interface SubTarget extends Target {
  subresource: string;
}

type SubHandler = (server: ApiServer, target: SubTarget, exchange: Exchange) => Promise<Answer | undefined>;

const SUBRESOURCES: Readonly<Record<string, SubHandler>> = {
  status: (server, target, exchange) => handlePart(server, target, exchange, 'status'),
  finalize: (server, target, exchange) => handlePart(server, target, exchange, 'finalize'),
  scale: handleScale,
  binding: bind,
  eviction: evict,
  token: issueToken,
  log: podLog,
  exec: (server, target, exchange) => podTalk(server, target, exchange, 'exec'),
  attach: (server, target, exchange) => podTalk(server, target, exchange, 'attach'),
  portforward: podPorts,
};

export function handleSubresource(
  server: ApiServer,
  target: SubTarget,
  exchange: Exchange,
): Promise<Answer | undefined> {
  const handle = SUBRESOURCES[target.subresource];
  if (handle === undefined) throw notServed(server, target);
  return handle(server, target, exchange);
}

async function handlePart(
  server: ApiServer,
  target: SubTarget,
  exchange: Exchange,
  part: NonNullable<UpdateOptions['part']>,
): Promise<Answer | undefined> {
  switch (exchange.request.method) {
    case 'GET':
      return getOne(server, target, exchange);
    case 'PUT': {
      const body = await readObject(exchange.request, target.resource.kind);
      const stored = await updateObject(server.registry, target, () => body, { ...writeOptions(exchange), part });
      return objectAnswer(server, { resource: target.resource, stored, code: 200 }, exchange);
    }
    case 'PATCH':
      return patchPart(server, target, exchange, part);
    default:
      throw methodNotAllowed();
  }
}

async function handleScale(server: ApiServer, target: SubTarget, exchange: Exchange): Promise<Answer> {
  const { resource, namespace, name } = target;
  const change = await scaleChange(target, exchange);
  if (change === undefined) {
    const stored = server.store.read(resource.storage, namespace, name);
    if (stored === undefined) throw notFound(resource, name);
    return scaleAnswer(target, stored);
  }
  const options = { ...writeOptions(exchange), isPatch: true };
  return scaleAnswer(target, await updateObject(server.registry, target, change, options));
}

function scaleAnswer({ resource }: SubTarget, stored: Stored): Answer {
  return { code: 200, body: stringifyJson(scaleOf(resource, servedObject(resource, stored))) };
}

/** Undefined for a read. */
async function scaleChange(
  { resource }: SubTarget,
  { request }: Exchange,
): Promise<((current: ApiObject) => ApiObject) | undefined> {
  switch (request.method) {
    case 'GET':
      return undefined;
    case 'PUT': {
      const scale = await readObject(request, 'Scale');
      return (current) => withScale(resource, current, scale);
    }
    case 'PATCH': {
      const type = mediaTypeOf(request);
      // A Scale has no lists, so a strategic patch of it is a merge patch.
      const kind = type === PATCH_TYPES.json ? 'json' : 'merge';
      if (!Object.values<string>(PATCH_TYPES).includes(type)) throw unsupportedMedia(Object.values(PATCH_TYPES));
      const body = await readPatch(request);
      return (current) => withScale(resource, current, applyPatch(resource, scaleOf(resource, current), kind, body));
    }
    default:
      throw methodNotAllowed();
  }
}

/** What a scheduler does: gives a pod its node. */
async function bind(server: ApiServer, target: SubTarget, exchange: Exchange): Promise<Answer> {
  if (exchange.request.method !== 'POST') throw methodNotAllowed();
  const body = await readObject(exchange.request, 'Binding');
  const node = isObject(body) ? scalarTextAt(body, 'target', 'name') : '';
  if (node === '') throw badRequest('Binding "" is invalid: target.name: Required value');
  const now = timestamp(server.now());
  const options = { ...writeOptions(exchange), isPatch: true, part: 'binding' as const };
  await updateObject(server.registry, target, (pod) => bound(pod, node, now), options);
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function bound(pod: ApiObject, nodeName: string, now: string): ApiObject {
  const spec = pod['spec'];
  const status = pod['status'];
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  const conditions = isObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
  return {
    ...pod,
    spec: { ...(isObject(spec) ? spec : {}), nodeName },
    status: {
      ...(isObject(status) ? status : {}),
      conditions: [...conditions.filter((one) => scalarTextAt(one, 'type') !== 'PodScheduled'), scheduled],
    },
  };
}

/** Disruption budgets are stored, not enforced: an eviction is a delete. */
async function evict(server: ApiServer, target: SubTarget, exchange: Exchange): Promise<Answer> {
  if (exchange.request.method !== 'POST') throw methodNotAllowed();
  const body = await readObject(exchange.request, 'Eviction');
  const options = isObject(body) ? valueAt(body, 'deleteOptions') : undefined;
  await deleteObject(server.registry, target, deleteOptions(isObject(options) ? options : {}, exchange.query));
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

/** What real clusters have besides. */
function notServed(server: ApiServer, { resource, namespace, name, subresource }: SubTarget): Error {
  if (server.store.read(resource.storage, namespace, name) === undefined) throw notFound(resource, name);
  const details: JsonObject = { name, kind: resource.plural };
  return statusError('unsupported', {
    code: 501,
    reason: 'NotImplemented',
    message: `${resource.plural} "${name}" has no ${subresource} in a pocket cluster`,
    details,
  });
}
