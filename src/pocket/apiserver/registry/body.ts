import {
  isObject,
  own,
  setOwn,
  stringifyJson,
  type AppError,
  type Json,
  type JsonObject,
} from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { BUILTINS } from '../../builtins/index.ts';
import { badRequest, invalid } from '../errors/index.ts';
import { scalarTextAt, type ApiMeta, type ApiObject } from '../object/index.ts';
import type { Resource } from './resource.ts';

export interface WriteOptions {
  dryRun?: boolean;
  /** What happens to fields the kind does not have; `Warn` unless said otherwise. */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  warn?: (message: string) => void;
}

/** The body as an object of this resource, with its own metadata. Built-in kinds may leave out what they are. */
export function receive(resource: Resource, body: unknown): ApiObject {
  if (!isObject(body)) throw unrecognized(resource);
  if (resource.custom !== undefined) checkCustomKind(resource, body);
  const { kind = resource.kind, apiVersion = apiVersionOf(resource) } = body;
  const metadata = own(body, 'metadata') ?? {};
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) {
    throw otherKind(resource, scalarTextAt(kind), scalarTextAt(apiVersion));
  }
  if (!isObject(metadata)) throw handledAs(resource, 'metadata is not an object');
  return { ...body, kind, apiVersion, metadata: cleanMeta(resource, metadata) };
}

function unrecognized({ kind }: Resource, why = ''): AppError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind})${why}`);
}

/** No Go type stands behind a custom resource, so that it must say itself what it is. */
function checkCustomKind(resource: Resource, body: JsonObject): void {
  const kind = scalarTextAt(body, 'kind');
  const apiVersion = scalarTextAt(body, 'apiVersion');
  if (kind === '') {
    throw unrecognized(resource, `: Object 'Kind' is missing in '${stringifyJson(body).slice(0, SHOWN_CHARACTERS)}'`);
  }
  const expected = apiVersionOf(resource);
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (kind === resource.kind) return;
  const message = `Invalid value: ${JSON.stringify(kind)}: must be ${resource.kind}`;
  throw invalid({ group: resource.group, kind }, scalarTextAt(body, 'metadata', 'name'), [
    { reason: 'FieldValueInvalid', message, field: 'kind' },
  ]);
}

const SHOWN_CHARACTERS = 200;
const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'] as const;
const MAPS = ['labels', 'annotations'] as const;
const LISTS = { finalizers: '[]string', ownerReferences: '[]v1.OwnerReference' } as const;

/** A copy in which what is empty is absent and what the rules read has the type they expect. */
function cleanMeta(resource: Resource, given: JsonObject): ApiMeta {
  const metadata: JsonObject = {};
  for (const [key, value] of Object.entries(given)) {
    if (!isEmpty(value) && key !== 'selfLink') setOwn(metadata, key, value ?? null);
  }
  for (const key of TEXTS) {
    const value = own(metadata, key) ?? '';
    if (typeof value !== 'string') throw wrongType(resource, key, value, 'string');
  }
  for (const [key, type] of Object.entries(LISTS)) {
    const value = own(metadata, key) ?? [];
    if (!Array.isArray(value)) throw wrongType(resource, key, value, type);
  }
  for (const key of MAPS) {
    const value = own(metadata, key);
    if (value !== undefined) metadata[key] = cleanMap(resource, key, value);
  }
  return metadata as ApiMeta;
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function cleanMap(resource: Resource, field: string, map: Json): JsonObject {
  if (!isObject(map)) throw wrongType(resource, field, map, 'map[string]string');
  const clean: JsonObject = {};
  for (const [key, value] of Object.entries(map)) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw wrongType(resource, field, value, 'string');
    }
    setOwn(clean, key, value ?? '');
  }
  return clean;
}

/** The metadata of a custom resource is read by itself, and named so. */
function wrongType(resource: Resource, field: string, value: Json, type: string): AppError {
  const place = resource.custom === undefined ? `ObjectMeta.metadata.${field}` : `ObjectMeta.${field}`;
  return handledAs(resource, `json: cannot unmarshal ${goKind(value)} into Go struct field ${place} of type ${type}`);
}

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
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

/**
 * Reads the body through the kind's schema: wrong types are refused, unknown fields refused, warned about or passed.
 * Those that the stored object has already are nothing the client can be blamed for.
 */
export function readThroughSchema(
  resource: Resource,
  object: ApiObject,
  options: WriteOptions,
  old?: ApiObject,
): ApiObject {
  const { object: read, unknown, typeError } = resource.schema.read(object);
  if (typeError !== undefined) throw handledAs(resource, typeError);
  const mode = options.fieldValidation ?? 'Warn';
  if (unknown.length > 0 && mode !== 'Ignore') {
    const known = new Set(old === undefined ? [] : resource.schema.read(old).unknown);
    const messages = unknown.filter((path) => !known.has(path)).map((path) => `unknown field "${path}"`);
    if (messages.length === 0) return read as ApiObject;
    if (mode === 'Strict') throw handledAs(resource, `strict decoding error: ${messages.join(', ')}`);
    for (const message of messages) options.warn?.(message);
  }
  return read as ApiObject;
}
