import { stringifyJson, without } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import type { ApiObject } from '../object/index.ts';
import type { Stored } from '../store/index.ts';
import { headOf, type Resource } from './resource.ts';

const ANY_HEAD = /^\{"kind":"[^"]*","apiVersion":"[^"]*",/;

/** The JSON of a stored object in the version and view of `resource`, without parsing it where that can be helped. */
export function textOf(resource: Resource, stored: Stored): string {
  if (resource.view !== undefined || isBehindSchema(resource, stored))
    return stringifyJson(servedObject(resource, stored));
  const head = headOf(resource.kind, apiVersionOf(resource));
  return stored.json.startsWith(head) ? stored.json : stored.json.replace(ANY_HEAD, head);
}

/** An item of a list: only custom resources say their kind there. */
export function itemTextOf(resource: Resource, stored: Stored): string {
  const text = textOf(resource, stored);
  if (resource.custom !== undefined) return text;
  const head = headOf(resource.kind, apiVersionOf(resource));
  return `{${text.slice(head.length)}`;
}

/** The object as clients of this version see it. Not to be changed. */
export function servedObject(resource: Resource, stored: Stored): Readonly<ApiObject> {
  const object = stored.object;
  if (resource.view !== undefined)
    return ordered(resource.view.toServed(object), resource.kind, apiVersionOf(resource));
  const apiVersion = apiVersionOf(resource);
  if (isBehindSchema(resource, stored)) return ordered(inSchema(resource, object), resource.kind, apiVersion);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** A copy in the served version that the caller may change. */
export function servedCopy(resource: Resource, stored: Stored): ApiObject {
  const copy = stored.copy();
  if (resource.view !== undefined) return resource.view.toServed(copy);
  const object = { ...copy, apiVersion: apiVersionOf(resource) };
  return isBehindSchema(resource, stored) ? inSchema(resource, object) : object;
}

/** Without what the version that is asked for does not have, and with its defaults. */
function inSchema(resource: Resource, object: Readonly<ApiObject>): ApiObject {
  const { object: known } = resource.schema.read({ ...object, apiVersion: apiVersionOf(resource) });
  return resource.schema.complete(known) as ApiObject;
}

/** The object as it goes into the store. */
export function toStorage(resource: Resource, served: ApiObject): ApiObject {
  const { custom } = resource;
  const known = custom !== undefined && isOtherVersion(resource) ? custom.pruneStored(served) : served;
  const object = resource.view?.toStored(known) ?? known;
  return ordered(object, resource.kind, resource.storageApiVersion);
}

/** The same object with kind and apiVersion first, which `headOf` relies on. */
function ordered(object: Readonly<ApiObject>, kind: string, apiVersion: string): ApiObject {
  return { kind, apiVersion, metadata: object.metadata, ...without(object, 'kind', 'apiVersion', 'metadata') };
}

function isOtherVersion(resource: Resource): boolean {
  return apiVersionOf(resource) !== resource.storageApiVersion;
}

/** It was written by another schema than the one it is read by. */
function isBehindSchema(resource: Resource, stored: Stored): boolean {
  const { custom } = resource;
  return custom !== undefined && (stored.rv < custom.schemaRv || isOtherVersion(resource));
}
