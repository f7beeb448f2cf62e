import { stringifyJson, without } from '../../../base/index.ts';
import { alreadyExists, forbidden, internalError, invalid, methodNotAllowed, notFound } from '../errors/index.ts';
import { scalarTextAt, type ApiObject } from '../object/index.ts';
import { Stored } from '../store/index.ts';
import { readThroughSchema, receive, type WriteOptions } from './body.ts';
import { CRD_STORAGE } from './crd-status.ts';
import { timestamp, type RegistryDeps } from './deps.ts';
import { generateName, requireName, setNamespace } from './identity.ts';
import { KIND_RULES } from './kinds/index.ts';
import { toStorage } from './object-text.ts';
import type { Resource } from './resource.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };
const NAME_ATTEMPTS = 8;

export interface Place {
  resource: Resource;
  /** Empty for cluster-scoped resources. */
  namespace: string;
}

export async function createObject(
  deps: RegistryDeps,
  place: Place,
  body: unknown,
  options: WriteOptions = {},
): Promise<Stored> {
  const { resource } = place;
  const received = readThroughSchema(resource, receive(resource, body), options);
  setNamespace(resource, received, place.namespace);
  // Only a number above zero names a version; the stock velero command line sends "0" with what it creates.
  if (/^0*[1-9]\d*$/.test(received.metadata.resourceVersion ?? '')) {
    throw internalError('resourceVersion should not be set on objects to be created');
  }
  delete received.metadata.resourceVersion;
  stampNew(deps, place, received);
  requireName(resource, received);
  checkNamespace(deps, place, received.metadata.name);
  checkDefinition(deps, resource);
  const object = prepareNew(deps, resource, received);
  const { namespace = '', name } = object.metadata;
  if (deps.store.get(resource.storage, namespace, name) !== undefined) throw alreadyExists(resource, name);
  object.metadata.creationTimestamp = timestamp(deps.now());
  const storable = toStorage(resource, object);
  if (options.dryRun === true) return unstored(resource, storable);
  const { stored, committed } = deps.store.put(resource.storage, storable);
  await committed;
  return stored;
}

/** What a dry run answers with: the object as it would be, under the resourceVersion it has. */
export function unstored(resource: Resource, object: ApiObject): Stored {
  const { namespace = '', name, resourceVersion = '0' } = object.metadata;
  return new Stored(resource.storage, { namespace, name, rv: Number(resourceVersion) }, stringifyJson(object));
}

function stampNew(deps: RegistryDeps, { resource, namespace }: Place, object: ApiObject): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  metadata.uid = deps.newUid();
  // Set when all else is right: reading it back as a time would be the dearest part of a small create.
  delete metadata.creationTimestamp;
  delete metadata.generation;
  if (resource.hasGeneration) metadata.generation = 1;
  if (metadata.name !== undefined || metadata.generateName === undefined) return;
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt += 1) {
    metadata.name = generateName(metadata.generateName, deps.random);
    if (deps.store.get(resource.storage, namespace, metadata.name) === undefined) return;
  }
}

/** A namespaced object needs a namespace that exists and stays. */
function checkNamespace(deps: RegistryDeps, { resource, namespace }: Place, name: string): void {
  if (!resource.namespaced) return;
  const found = deps.store.get('namespaces', '', namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  if (found.object.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(resource, name, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
}

function checkDefinition(deps: RegistryDeps, resource: Resource): void {
  if (resource.custom === undefined) return;
  const definition = deps.store.get(CRD_STORAGE, '', resource.storage);
  if (definition?.object.metadata.deletionTimestamp !== undefined) throw methodNotAllowed();
}

function prepareNew(deps: RegistryDeps, resource: Resource, received: ApiObject): ApiObject {
  const own = resource.hasStatus ? without(received, 'status') : received;
  const object = resource.schema.complete(own) as ApiObject;
  const { store, random, servicePrefix } = deps;
  const context = { store, now: timestamp(deps.now()), random, servicePrefix };
  const errors = KIND_RULES[resource.storage]?.create?.(object, context) ?? [];
  const all = [...resource.schema.validate(object), ...errors];
  if (all.length > 0) throw invalid(resource, scalarTextAt(object, 'metadata', 'name'), all);
  return object;
}
