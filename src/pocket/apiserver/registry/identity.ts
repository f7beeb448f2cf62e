import { badRequest, invalid } from '../errors/index.ts';
import type { ApiObject } from '../object/index.ts';
import type { Resource } from './resource.ts';

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_BASE = 63 - SUFFIX_LENGTH;

/** The namespace of the URL wins; a body that names another one is refused. */
export function setNamespace(resource: Resource, object: ApiObject, namespace: string): void {
  const given = object.metadata.namespace;
  if (!resource.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  if (given !== undefined && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  object.metadata.namespace = namespace;
}

/** A change without a name is most often one that would have emptied the object. */
export function checkSameName(given: string | undefined, name: string): void {
  if (given === name) return;
  if (given === undefined || given === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** `random` is in [0, 1). */
export function generateName(base: string, random: () => number): string {
  let name = base.slice(0, LONGEST_BASE);
  for (let i = 0; i < SUFFIX_LENGTH; i += 1) {
    name += SUFFIX_LETTERS.charAt(Math.floor(random() * SUFFIX_LETTERS.length));
  }
  return name;
}

export function requireName(resource: Resource, object: ApiObject): void {
  if (object.metadata.name !== undefined) return;
  const subject = { group: resource.group, kind: resource.kind };
  throw invalid(subject, '', [
    {
      reason: 'FieldValueRequired',
      message: 'Required value: name or generateName is required',
      field: 'metadata.name',
    },
  ]);
}
