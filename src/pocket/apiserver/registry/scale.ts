import {
  isObject,
  objectAt,
  objectsAt,
  textAt,
  valueAt,
  type AppError,
  type Json,
  type JsonObject,
} from '../../../base/index.ts';
import { badRequest, invalid, notFound } from '../errors/index.ts';
import { numberAt, scalarTextAt, type ApiObject } from '../object/index.ts';
import { checkSameName } from './identity.ts';
import type { Resource, ScalePaths } from './resource.ts';

const BUILTIN_PATHS: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
};

/** The Scale of an object: the same shape for every kind that has a number of replicas. */
export function scaleOf(resource: Resource, object: Readonly<ApiObject>): ApiObject {
  const paths = pathsOf(resource, object.metadata.name);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorOf(paths, object);
  const replicas = numberAt(object, ...keysOf(paths.specReplicas));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    // Go leaves a zero out here, and clients know it.
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, ...keysOf(paths.statusReplicas)),
      ...(selector === '' ? {} : { selector }),
    },
  };
}

/** The object with the replicas that `scale` asks for. A version in it is a precondition. */
export function withScale(resource: Resource, object: ApiObject, scale: unknown): ApiObject {
  if (!isObject(scale)) throw badRequest('the object provided is unrecognized (must be of type Scale)');
  const replicas = valueAt(scale, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isSafeInteger(replicas)) {
    throw badRequest('Scale in version "v1" cannot be handled as a Scale: spec.replicas must be a whole number');
  }
  checkSameName(textAt(scale, 'metadata', 'name'), object.metadata.name);
  if (replicas < 0) throw negative(resource, replicas, object.metadata.name);
  const keys = keysOf(pathsOf(resource, object.metadata.name).specReplicas);
  const version = scalarTextAt(scale, 'metadata', 'resourceVersion');
  const metadata = version === '' ? object.metadata : { ...object.metadata, resourceVersion: version };
  return { ...(setAt(object, keys, replicas) as ApiObject), metadata };
}

function negative(resource: Resource, replicas: number, name: string): AppError {
  if (resource.custom !== undefined) {
    const message = `Invalid value: ${replicas}: should be a non-negative integer`;
    return invalid(resource, name, [
      { reason: 'FieldValueInvalid', message, field: pathsOf(resource, name).specReplicas },
    ]);
  }
  const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
  return invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
    { reason: 'FieldValueInvalid', message, field: 'spec.replicas' },
  ]);
}

function setAt(object: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const child = object[key];
  return { ...object, [key]: rest.length === 0 ? value : setAt(isObject(child) ? child : {}, rest, value) };
}

function pathsOf(resource: Resource, name: string): ScalePaths {
  if (resource.custom === undefined) return BUILTIN_PATHS;
  if (resource.custom.scale === undefined) throw notFound(resource, name);
  return resource.custom.scale;
}

function keysOf(path: string): string[] {
  return path.split('.').filter((key) => key !== '');
}

function selectorOf(paths: ScalePaths, object: Readonly<ApiObject>): string {
  if (paths.labelSelector !== undefined) return scalarTextAt(object, ...keysOf(paths.labelSelector));
  if (paths !== BUILTIN_PATHS) return '';
  const selector = objectAt(object, 'spec', 'selector');
  // A ReplicationController has the labels themselves where the others have a selector.
  const isLabels = !isObject(selector['matchLabels']) && !Array.isArray(selector['matchExpressions']);
  const labels = isLabels ? selector : objectAt(selector, 'matchLabels');
  const equal = Object.entries(labels).map(([key, value]) => ({ key, text: `${key}=${scalarTextAt(value)}` }));
  const others = objectsAt(selector, 'matchExpressions').map((term) => ({
    key: scalarTextAt(term, 'key'),
    text: expressionText(term),
  }));
  return [...equal, ...others]
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ text }) => text)
    .join(',');
}

/** A requirement as a selector of a list is written. */
function expressionText(term: JsonObject): string {
  const key = scalarTextAt(term, 'key');
  const values = Array.isArray(term['values']) ? term['values'].map((value) => scalarTextAt(value)).sort() : [];
  switch (scalarTextAt(term, 'operator')) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
