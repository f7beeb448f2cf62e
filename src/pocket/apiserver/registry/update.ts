import { isEqual, without, type JsonObject } from '../../../base/index.ts';
import { conflict, invalid, notFound, STALE } from '../errors/index.ts';
import type { FieldError } from '../../schema/index.ts';
import { listAt, type ApiMeta, type ApiObject } from '../object/index.ts';
import type { Stored } from '../store/index.ts';
import { readThroughSchema, receive, type WriteOptions } from './body.ts';
import { unstored, type Place } from './create.ts';
import { timestamp, type RegistryDeps } from './deps.ts';
import { checkSameName, setNamespace } from './identity.ts';
import { KIND_RULES } from './kinds/index.ts';
import { servedCopy, toStorage } from './object-text.ts';
import type { Resource } from './resource.ts';

export interface NamedPlace extends Place {
  name: string;
}

export interface UpdateOptions extends WriteOptions {
  /** Which part of the object the request may change; all but the status unless said otherwise. */
  part?: 'status' | 'finalize' | 'binding';
  /** A patch is made on the newest object, so it need not say which version it means. */
  isPatch?: boolean;
}

/** Kinds whose PUT must say which version it replaces; all custom resources are such. */
const CONDITIONAL = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

/**
 * Every change of an object that exists: `change` gets a copy and returns what the object should become.
 * It runs at once, so no other write can come between reading and writing.
 */
export async function updateObject(
  deps: RegistryDeps,
  place: NamedPlace,
  change: (current: ApiObject) => unknown,
  options: UpdateOptions = {},
): Promise<Stored> {
  const { resource, namespace, name } = place;
  const stored = deps.store.get(resource.storage, namespace, name);
  if (stored === undefined) throw notFound(resource, name);
  const old = servedCopy(resource, stored);
  const next = receive(resource, change(servedCopy(resource, stored)));
  checkSameName(next.metadata.name, name);
  setNamespace(resource, next, namespace);
  checkVersion(place, next, old, options);
  const merged = mergeParts(resource, next, old, options);
  const object = prepareUpdate(deps, resource, {
    next: readThroughSchema(resource, merged, options, old),
    old,
    options,
  });
  const storable = toStorage(resource, object);
  storable.metadata.resourceVersion = String(stored.rv);
  if (options.dryRun === true) return unstored(resource, storable);
  if (isEqual(storable, stored.object)) {
    // Nothing changed: no new version, no event. What it equals may still be on its way to the disk.
    await deps.store.settled();
    return stored;
  }
  if (isLetGo(storable)) {
    const answer = unstored(resource, storable);
    await deps.store.remove(resource.storage, storable).committed;
    return answer;
  }
  const written = deps.store.put(resource.storage, storable);
  await written.committed;
  return written.stored;
}

/** Marked for deletion, and nobody holds it any more. */
export function isLetGo(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds > 0) return false;
  return object.kind !== 'Namespace' || listAt(object, 'spec', 'finalizers').length === 0;
}

function checkVersion(place: NamedPlace, next: ApiObject, old: ApiObject, options: UpdateOptions): void {
  const { resource, name } = place;
  const { resourceVersion = '0', uid } = next.metadata;
  if (uid !== undefined && uid !== old.metadata.uid) {
    if (options.isPatch === true) throw invalid(resource, name, twice(immutable('metadata.uid', uid)));
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`;
    throw conflict(resource, name, why);
  }
  if (resourceVersion !== '0') {
    if (resourceVersion !== old.metadata.resourceVersion) throw conflict(resource, name, STALE);
    return;
  }
  const isConditional = resource.custom !== undefined || CONDITIONAL.has(resource.storage);
  if (options.isPatch === true || !isConditional) return;
  throw invalid({ group: resource.group, kind: resource.plural }, name, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);
}

/** The parts the request may change come from the new object, all others and the server's own fields from the old. */
function mergeParts(resource: Resource, next: ApiObject, old: ApiObject, options: UpdateOptions): ApiObject {
  if (options.part === 'status') {
    const metadata = resource.custom === undefined ? keepServerFields(next, old) : old.metadata;
    return { ...old, metadata, status: next['status'] };
  }
  if (options.part === 'finalize') {
    return { ...old, ...(next['spec'] === undefined ? {} : { spec: next['spec'] }) };
  }
  if (options.part === 'binding') {
    return { ...old, spec: next['spec'] ?? {}, status: next['status'] ?? {} };
  }
  const { status: own, ...rest } = next;
  const status = resource.hasStatus ? old['status'] : own;
  return { ...rest, metadata: keepServerFields(next, old), ...(status === undefined ? {} : { status }) };
}

function keepServerFields(next: ApiObject, old: ApiObject): ApiMeta {
  const metadata: JsonObject = { ...next.metadata };
  for (const field of SERVER_FIELDS) {
    if (old.metadata[field] === undefined) Reflect.deleteProperty(metadata, field);
    else metadata[field] = old.metadata[field];
  }
  return metadata as ApiMeta;
}

const SERVER_FIELDS = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
  'generateName',
] as const;

function prepareUpdate(
  deps: RegistryDeps,
  resource: Resource,
  update: { next: ApiObject; old: ApiObject; options: UpdateOptions },
): ApiObject {
  const { next, old, options } = update;
  const object = resource.schema.complete(next) as ApiObject;
  const { store, random, servicePrefix } = deps;
  const context = { store, now: timestamp(deps.now()), random, servicePrefix };
  const errors: FieldError[] = checkFinalizers(object, old);
  if (options.part === undefined) errors.push(...(KIND_RULES[resource.storage]?.update?.(object, old, context) ?? []));
  // A binding is the one write that may set what is fixed for everybody else.
  errors.push(...resource.schema.validate(object, options.part === 'binding' ? undefined : old));
  if (errors.length > 0) throw invalid(resource, object.metadata.name, errors);
  // Being bound to a node is no change of what the pod's owner asked for.
  const isOther =
    !isSameContent(resource, object, old) || (options.part === undefined && hasNewNotes(resource, object, old));
  if (resource.hasGeneration && options.part !== 'binding' && isOther) {
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  return object;
}

/** Of deployments, and of these alone, the annotations count as what was asked for. */
function hasNewNotes(resource: Resource, a: ApiObject, b: ApiObject): boolean {
  return (
    resource.storage === 'deployments.apps' && !isEqual(a.metadata.annotations ?? {}, b.metadata.annotations ?? {})
  );
}

/** Beside the metadata, and beside the status where that is a subresource. */
function isSameContent(resource: Resource, a: ApiObject, b: ApiObject): boolean {
  const beside = resource.hasStatus ? ['metadata', 'status'] : ['metadata'];
  return isEqual(without(a, ...beside), without(b, ...beside));
}

function checkFinalizers(object: ApiObject, old: ApiObject): FieldError[] {
  if (old.metadata.deletionTimestamp === undefined) return [];
  const before = old.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return twice({
    reason: 'FieldValueForbidden',
    message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    field: 'metadata.finalizers',
  });
}

function immutable(field: string, value: string): FieldError {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: field is immutable`, field };
}

/** The real server checks metadata once for every kind and once more for the kind at hand, and reports both. */
function twice(error: FieldError): FieldError[] {
  return [error, error];
}
