import { isAppError, isObject, own, type JsonObject } from '../../../base/index.ts';
import type { ApiServer } from '../api-server.ts';
import { badRequest, invalidOption, unknownMedia, unsupportedMedia, type Status } from '../errors/index.ts';
import { listObjects, wholeNumberOf } from '../list/index.ts';
import { listAt, scalarTextAt } from '../object/index.ts';
import {
  acceptedPatches,
  APPLY_TYPE,
  applyPatch,
  createObject,
  deleteObject,
  PATCH_TYPES,
  updateObject,
  type Deleted,
  type DeleteOptions,
  type PatchKind,
  type Resource,
  type UpdateOptions,
} from '../registry/index.ts';
import { isReview, review } from '../reviews/index.ts';
import { json, type Answer } from './answer.ts';
import { mediaTypeOf, readObject, readOptions, readPatch } from './body.ts';
import { isDryRun, writeOptions, type Exchange } from './exchange.ts';
import { listAnswer, objectAnswer, selectionOf } from './read-handlers.ts';
import type { Target } from './target.ts';

export async function create(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer> {
  const body = await readObject(exchange.request, target.resource.kind);
  if (isReview(target.resource)) return json(201, review(server, target, body, exchange.user));
  const stored = await createObject(server.registry, target, body, writeOptions(exchange));
  return objectAnswer(server, { resource: target.resource, stored, code: 201 }, exchange);
}

/** Kinds that a PUT may create. */
const CREATED_BY_PUT = new Set([
  'leases.coordination.k8s.io',
  'events',
  'endpoints',
  'services',
  'limitranges',
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'runtimeclasses.node.k8s.io',
]);

export async function replace(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer> {
  const { resource } = target;
  const body = await readObject(exchange.request, resource.kind);
  const options = writeOptions(exchange);
  try {
    const stored = await updateObject(server.registry, target, () => body, options);
    return objectAnswer(server, { resource, stored, code: 200 }, exchange);
  } catch (error) {
    if (!isAppError(error, 'notFound') || !CREATED_BY_PUT.has(resource.storage)) throw error;
    const stored = await createObject(server.registry, target, body, options);
    return objectAnswer(server, { resource, stored, code: 201 }, exchange);
  }
}

export async function patch(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer> {
  return patchPart(server, target, exchange);
}

export async function patchPart(
  server: ApiServer,
  target: Target,
  exchange: Exchange,
  part?: UpdateOptions['part'],
): Promise<Answer> {
  const { resource } = target;
  const kind = patchKindOf(resource, exchange);
  const body = await readPatch(exchange.request);
  const options = { ...writeOptions(exchange), isPatch: true, ...(part === undefined ? {} : { part }) };
  const stored = await updateObject(
    server.registry,
    target,
    (current) => applyPatch(resource, current, kind, body),
    options,
  );
  return objectAnswer(server, { resource, stored, code: 200 }, exchange);
}

export function patchKindOf(resource: Resource, { request }: Exchange): PatchKind {
  const type = mediaTypeOf(request);
  const kinds: PatchKind[] = ['json', 'merge', 'strategic'];
  const kind = kinds.find((one) => PATCH_TYPES[one] === type);
  if (kind !== undefined) return kind;
  request.resume();
  throw type === APPLY_TYPE ? unsupportedMedia(acceptedPatches(resource)) : unknownMedia();
}

/** Kinds whose delete answers with the object even when it is gone. */
const ANSWERED_WITH_OBJECT = new Set([
  'pods',
  'services',
  'namespaces',
  'serviceaccounts',
  'persistentvolumes',
  'persistentvolumeclaims',
  'podtemplates',
  'resourcequotas',
  'storageclasses.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

const KEPT_PODS =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set ' +
  'propagationPolicy=Orphan to suppress this warning';

export async function deleteOne(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer> {
  const { resource } = target;
  const options = deleteOptions(await readOptions(exchange.request), exchange.query);
  if (options.propagation === undefined && resource.storage === 'jobs.batch') exchange.warnings.push(KEPT_PODS);
  const deleted = await deleteObject(server.registry, target, options);
  if (deleted.isGone && !ANSWERED_WITH_OBJECT.has(resource.storage)) return json(200, successOf(resource, deleted));
  return objectAnswer(server, { resource, stored: deleted.object, code: 200 }, exchange);
}

function successOf({ group, plural }: Resource, { object }: Deleted): Status {
  const details: JsonObject = {
    name: object.name,
    ...(group === '' ? {} : { group }),
    kind: plural,
    uid: object.object.metadata.uid ?? '',
  };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

export async function deleteCollection(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer> {
  const options = deleteOptions(await readOptions(exchange.request), exchange.query);
  const { resource } = target;
  const result = listObjects(server.store, selectionOf(target, exchange.query));
  const items = [];
  for (const { namespace, name } of result.items) {
    try {
      items.push((await deleteObject(server.registry, { resource, namespace, name }, options)).object);
    } catch (error) {
      // Somebody else deleted it in between, which is what was asked for.
      if (!isAppError(error, 'notFound')) throw error;
    }
  }
  return listAnswer(server, resource, { items, rv: server.store.rv }, exchange);
}

/** Options of a delete from its body, or from its query where the body does not say them. */
export function deleteOptions(body: unknown, query: URLSearchParams): DeleteOptions {
  if (!isObject(body)) throw badRequest('the object provided is unrecognized (must be of type DeleteOptions)');
  const kind = scalarTextAt(body, 'kind');
  // Whoever sends an object here meant something else than to delete one.
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw badRequest(`converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`);
  }
  const asked = (field: string): string => scalarTextAt(body, field) || (query.get(field) ?? '');
  const policy = asked('propagationPolicy');
  const legacy = legacyPropagation(asked('orphanDependents'));
  if (policy !== '' && legacy !== '') {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    const message = `Invalid value: ${JSON.stringify(policy)}: ${why}`;
    throw invalidOption('DeleteOptions', { reason: 'FieldValueInvalid', message, field: 'propagationPolicy' });
  }
  const propagation = policy || legacy;
  const grace = gracePeriodOf(body) ?? wholeNumberOf(query, 'gracePeriodSeconds');
  const uid = scalarTextAt(body, 'preconditions', 'uid');
  const resourceVersion = scalarTextAt(body, 'preconditions', 'resourceVersion');
  return {
    ...(propagation === '' ? {} : { propagation }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    preconditions: { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) },
    dryRun: isDryRun(query, 'DeleteOptions') || listAt(body, 'dryRun').includes('All'),
  };
}

function gracePeriodOf(body: JsonObject): number | undefined {
  const given = own(body, 'gracePeriodSeconds') ?? undefined;
  if (given === undefined || Number.isSafeInteger(given)) return given as number | undefined;
  const what = typeof given === 'number' ? `number ${given}` : typeof given;
  throw badRequest(
    `json: cannot unmarshal ${what} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
  );
}

/** What clients said before there was a propagation policy. */
function legacyPropagation(orphanDependents: string): string {
  if (orphanDependents === '') return '';
  return orphanDependents === 'true' ? 'Orphan' : 'Background';
}
