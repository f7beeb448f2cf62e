import { z } from 'zod';
import { AppError, isObject, textAt, without, type Json, type JsonObject } from '../../base/index.ts';
import { apiVersionOf, kindFor, type AnyKind, type ResourceType } from '../../api/index.ts';
import { findAdapter, formatOperationId } from '../../core/operations/index.ts';
import type { KubeObject, NamedTarget } from '../../edge/kube/index.ts';
import { audited, type Deed } from '../audit.ts';
import { actingIn, clusterMeant, type Acting, type Context } from '../context.ts';
import type { Call } from './route.ts';

/** What every route that changes something has in common. */
export const ClusterQuery = z.object({ cluster: z.string().optional() });
export const ObjectBody = z.looseObject({ metadata: z.looseObject({}), spec: z.looseObject({}).optional() });
export const MANAGER = 'headway-server';

export type ChangeCall = Call<z.output<typeof ClusterQuery>>;

export async function actingFor(context: Context, { caller, query }: ChangeCall): Promise<Acting> {
  return await actingIn(context, caller, clusterMeant(caller, query.cluster));
}

/** Creates an object in the caller's name. */
export async function createAs(
  context: Context,
  { acting, call, type }: { acting: Acting; call: Pick<ChangeCall, 'request'>; type: ResourceType },
  object: KubeObject,
): Promise<KubeObject> {
  return await audited(context.audit, deedOf(acting, 'create', object, call.request.socket.remoteAddress), () =>
    acting.kube.create({ type, namespace: object.metadata.namespace ?? '' }, object, {
      fieldManager: MANAGER,
      fieldValidation: 'Strict',
    }),
  );
}

/** An object of a kind that is watched, for a caller who may see those. */
export function watchedObject({ cluster, rights }: Acting, type: ResourceType, name: string): KubeObject {
  if (!rights.maySee(type, cluster.namespace)) {
    throw new AppError('forbidden', `see ${type.plural}: ${rights.user.name} may not list and watch them`);
  }
  for (const object of cluster.source(type)?.values() ?? []) if (object.metadata.name === name) return object;
  throw new AppError('notFound', `find ${type.kind} ${cluster.namespace}/${name}: there is none`);
}

/** The kind with its schema. */
export function kindOf(type: ResourceType): AnyKind {
  const kind = kindFor(apiVersionOf(type), type.kind);
  if (kind === undefined) throw new AppError('bug', `there is no kind ${type.kind} in ${apiVersionOf(type)}`);
  return kind;
}

/**
 * The object to create: where it may be, and without a status, which is the engine's to write. `place` is the namespace
 * of all objects of its kind; undefined where the body must name one.
 */
export function objectOf(kind: AnyKind, body: Json | undefined, place: string | undefined): KubeObject {
  const given = isObject(body) ? without(body, 'status') : {};
  const metadata = isObject(given['metadata']) ? given['metadata'] : {};
  const wanted = textAt(metadata, 'namespace');
  if (place !== undefined && wanted !== undefined && wanted !== place) {
    throw new AppError('invalid', `create ${kind.kind}: expected namespace ${place}, got ${wanted}`);
  }
  const namespace = place ?? wanted;
  if (namespace === undefined) throw new AppError('invalid', `create ${kind.kind}: metadata.namespace is missing`);
  const name = textAt(metadata, 'name') ?? '';
  const hasName = name !== '' || textAt(metadata, 'generateName') !== undefined;
  if (!hasName) throw new AppError('invalid', `create ${kind.kind}: metadata.name is missing`);
  const object = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...given,
    metadata: { ...metadata, name, namespace },
  };
  // Every problem at once, each naming its field; a name that the server makes is not there yet.
  kind.parse({ ...object, metadata: { ...object.metadata, name: name === '' ? 'generated' : name } });
  return object;
}

export function deedOf(acting: Acting, action: Deed['action'], object: KubeObject, address: string | undefined): Deed {
  const { kind, metadata } = object;
  return {
    action,
    user: acting.rights.user.name,
    cluster: acting.cluster.name,
    address,
    object: {
      kind,
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    },
  };
}

export function targetOf(type: ResourceType, { metadata }: KubeObject): NamedTarget {
  return { type, namespace: metadata.namespace ?? '', name: metadata.name };
}

export function changed({ cluster }: Acting, type: ResourceType, object: KubeObject): JsonObject {
  const { namespace = '', name } = object.metadata;
  const isOperation = findAdapter(type.kind) !== undefined;
  const id = formatOperationId({ cluster: cluster.name, kind: type.kind, namespace, name });
  const metadata = without(object.metadata, 'managedFields');
  return { ...(isOperation ? { id } : {}), object: { ...object, metadata } };
}
