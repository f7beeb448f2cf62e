import { isObject, type AppError, type Json, type JsonObject } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { BUILTINS } from '../../builtins/index.ts';
import { badRequest } from '../errors/index.ts';
import { scalarTextAt, type ApiMeta, type ApiObject } from '../object/index.ts';
import type { Resource } from './resource.ts';

export interface WriteOptions {
  dryRun?: boolean;
  /** What happens to fields the kind does not have; `Warn` unless said otherwise. */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  warn?: (message: string) => void;
}

/** The body as an object of this resource, with its own metadata. Kind and apiVersion may be left out. */
export function receive(resource: Resource, body: unknown): ApiObject {
  if (!isObject(body)) throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind})`);
  const { kind = resource.kind, apiVersion = apiVersionOf(resource), metadata = {} } = body;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) {
    throw otherKind(resource, scalarTextAt(kind), scalarTextAt(apiVersion));
  }
  if (!isObject(metadata)) throw handledAs(resource, 'metadata is not an object');
  return { ...body, kind, apiVersion, metadata: cleanMeta(resource, metadata) };
}

const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'] as const;
const MAPS = ['labels', 'annotations'] as const;
const LISTS = ['finalizers', 'ownerReferences'] as const;

/** A copy in which what is empty is absent and what the rules read has the type they expect. */
function cleanMeta(resource: Resource, given: JsonObject): ApiMeta {
  const metadata: JsonObject = {};
  for (const [key, value] of Object.entries(given)) {
    if (!isEmpty(value) && key !== 'selfLink') metadata[key] = value;
  }
  for (const key of TEXTS) {
    if (typeof (metadata[key] ?? '') !== 'string') throw wrongType(resource, key, 'string');
  }
  for (const key of LISTS) {
    if (!Array.isArray(metadata[key] ?? [])) throw wrongType(resource, key, 'list');
  }
  for (const key of MAPS) {
    if (metadata[key] !== undefined) metadata[key] = cleanMap(resource, key, metadata[key]);
  }
  return metadata as ApiMeta;
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function cleanMap(resource: Resource, field: string, map: Json): JsonObject {
  if (!isObject(map)) throw wrongType(resource, field, 'map[string]string');
  const clean: JsonObject = {};
  for (const [key, value] of Object.entries(map)) {
    if (value !== null && typeof value !== 'string') throw wrongType(resource, field, 'string');
    clean[key] = value ?? '';
  }
  return clean;
}

function wrongType(resource: Resource, field: string, type: string): AppError {
  return handledAs(resource, `json: cannot unmarshal Go struct field ObjectMeta.metadata.${field} of type ${type}`);
}

function handledAs(resource: Resource, why: string): AppError {
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}

/** As Go words it, whose types the real server converts between. */
function otherKind(resource: Resource, kind: string, apiVersion: string): AppError {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const isKnown = BUILTINS.some((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  const goGroup = resource.group === '' ? 'core' : (resource.group.split('.')[0] ?? '');
  const why = isKnown
    ? `converting (${version}.${kind}) to (${goGroup}.${resource.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${why}`);
}

/** Reads the body through the kind's schema: wrong types are refused, unknown fields refused, warned about or passed. */
export function readThroughSchema(resource: Resource, object: ApiObject, options: WriteOptions): ApiObject {
  const { object: read, unknown, typeError } = resource.schema.read(object);
  if (typeError !== undefined) throw handledAs(resource, typeError);
  const mode = options.fieldValidation ?? 'Warn';
  if (unknown.length > 0 && mode !== 'Ignore') {
    const messages = unknown.map((path) => `unknown field "${path}"`);
    if (mode === 'Strict') throw handledAs(resource, `strict decoding error: ${messages.join(', ')}`);
    for (const message of messages) options.warn?.(message);
  }
  return read as ApiObject;
}
