import { objectAt, isEqual, valueAt } from '../../../base/index.ts';
import { conflict, forbidden, invalidOption, notFound } from '../errors/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../object/index.ts';
import type { Stored } from '../store/index.ts';
import { unstored } from './create.ts';
import { CRD_FINALIZER } from './crd-status.ts';
import { timestamp, type RegistryDeps } from './deps.ts';
import { isLetGo, type NamedPlace } from './update.ts';

export interface DeleteOptions {
  propagation?: string;
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: boolean;
}

export interface Deleted {
  object: Stored;
  /** False when something still holds it: finalizers, or a pod's grace period. */
  isGone: boolean;
}

const PERMANENT = new Set(['default', 'kube-system', 'kube-public']);
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export async function deleteObject(
  deps: RegistryDeps,
  place: NamedPlace,
  options: DeleteOptions = {},
): Promise<Deleted> {
  const { resource, namespace, name } = place;
  checkPolicy(options);
  const stored = deps.store.get(resource.storage, namespace, name);
  if (stored === undefined) throw notFound(resource, name);
  checkPreconditions(place, stored, options);
  if (resource.storage === 'namespaces' && PERMANENT.has(name)) {
    throw forbidden(resource, name, 'this namespace may not be deleted');
  }
  const object = stored.copy();
  const wish = mark(deps, object, options);
  if (options.dryRun === true) return { object: unstored(resource, object), isGone: wish === 'gone' };
  if (wish === 'gone') {
    const answer = unstored(resource, object);
    await deps.store.remove(resource.storage, object).committed;
    return { object: answer, isGone: true };
  }
  if (wish === 'unchanged') {
    await deps.store.settled();
    return { object: stored, isGone: false };
  }
  const written = deps.store.put(resource.storage, object);
  await written.committed;
  return { object: written.stored, isGone: false };
}

function checkPolicy({ propagation }: DeleteOptions): void {
  if (propagation !== undefined && !['Orphan', 'Background', 'Foreground'].includes(propagation)) {
    throw invalidOption('DeleteOptions', {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(propagation)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
      field: 'propagationPolicy',
    });
  }
}

function checkPreconditions({ resource, name }: NamedPlace, stored: Stored, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  // The real server names the kind here where it names the resource elsewhere.
  const named = { group: resource.group, plural: resource.kind };
  const actualUid = stored.object.metadata.uid ?? '';
  if (uid !== undefined && uid !== actualUid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${actualUid}). The object might have been deleted and then recreated`;
    throw conflict(named, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== String(stored.rv)) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${stored.rv}). The object might have been modified`;
    throw conflict(named, name, why);
  }
}

type Wish = 'gone' | 'changed' | 'unchanged';

/** Writes the wish to delete into the object, and says whether anything still holds it. */
function mark(deps: RegistryDeps, object: ApiObject, options: DeleteOptions): Wish {
  const { metadata } = object;
  const finalizers = finalizersFor(object, options);
  if (metadata.deletionTimestamp !== undefined) {
    const isShorter = shorten(deps, object, options);
    const isOther = !isEqual(finalizers, metadata.finalizers ?? []);
    setFinalizers(object, finalizers);
    if (isLetGo(object)) return 'gone';
    return isShorter || isOther ? 'changed' : 'unchanged';
  }
  const grace = gracePeriod(object, options);
  const isNamespace = object.kind === 'Namespace' && object.apiVersion === 'v1';
  const holds = grace > 0 || finalizers.length > 0 || (isNamespace && listAt(object, 'spec', 'finalizers').length > 0);
  // Only pods tell in their last state that they were deleted: they alone have a grace period, be it zero.
  if (!holds && !isPod(object)) return 'gone';
  metadata.deletionTimestamp = timestamp(deps.now() + grace * 1000);
  // Namespaces have no grace period, and the real server writes none.
  if (isNamespace) object['status'] = { ...objectAt(object, 'status'), phase: 'Terminating' };
  else metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation !== undefined) metadata.generation += 1;
  setFinalizers(object, finalizers);
  return holds ? 'changed' : 'gone';
}

function setFinalizers(object: ApiObject, finalizers: string[]): void {
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
}

/** A second delete may only make the grace period shorter. */
function shorten(deps: RegistryDeps, object: ApiObject, options: DeleteOptions): boolean {
  const { metadata } = object;
  const current = metadata.deletionGracePeriodSeconds ?? 0;
  const wanted = options.gracePeriodSeconds;
  if (current === 0 || wanted === undefined || wanted >= current) return false;
  const since = Date.parse(metadata.deletionTimestamp ?? '') - current * 1000;
  metadata.deletionTimestamp = timestamp(Math.max(since + wanted * 1000, deps.now()));
  metadata.deletionGracePeriodSeconds = Math.max(0, wanted);
  return true;
}

/** Only pods that a node has taken and that still run are given time. */
function gracePeriod(object: ApiObject, options: DeleteOptions): number {
  if (!isPod(object)) return 0;
  if (['Succeeded', 'Failed'].includes(scalarTextAt(object, 'status', 'phase'))) return 0;
  if (scalarTextAt(object, 'spec', 'nodeName') === '') return 0;
  const own = valueAt(object, 'spec', 'terminationGracePeriodSeconds');
  const wanted = options.gracePeriodSeconds ?? (typeof own === 'number' ? own : 30);
  return wanted < 0 ? 1 : wanted;
}

function finalizersFor(object: ApiObject, options: DeleteOptions): string[] {
  const propagation = options.propagation ?? (keepsDependents(object) ? 'Orphan' : undefined);
  const existing = object.metadata.finalizers ?? [];
  const others = existing.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  const isNewDefinition = isDefinition(object) && object.metadata.deletionTimestamp === undefined;
  if (isNewDefinition && !others.includes(CRD_FINALIZER)) others.push(CRD_FINALIZER);
  if (propagation === 'Orphan') return [...others, ORPHAN];
  if (propagation === 'Foreground') return [...others, FOREGROUND];
  return propagation === 'Background' ? others : [...others, ...existing.filter((one) => !others.includes(one))];
}

/** Jobs are older than garbage collection: who does not say what becomes of the pods keeps them. */
function keepsDependents(object: Readonly<ApiObject>): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (object.kind !== 'Job' || object.apiVersion !== 'batch/v1' || deletionTimestamp !== undefined) return false;
  return !finalizers.includes(FOREGROUND);
}

function isPod(object: ApiObject): boolean {
  return object.kind === 'Pod' && object.apiVersion === 'v1';
}

function isDefinition(object: ApiObject): boolean {
  return object.kind === 'CustomResourceDefinition' && object.apiVersion === 'apiextensions.k8s.io/v1';
}
