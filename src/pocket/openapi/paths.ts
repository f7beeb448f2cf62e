import type { Json, JsonObject } from '../../base/index.ts';
import { schemaRef } from './go-schema.ts';
import type { OpenApiResource } from './resource.ts';

interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  action: string;
  verb: string;
}

const ON_COLLECTION: readonly Operation[] = [
  { method: 'get', action: 'list', verb: 'list' },
  { method: 'post', action: 'post', verb: 'create' },
  { method: 'delete', action: 'deletecollection', verb: 'deletecollection' },
];
const ON_OBJECT: readonly Operation[] = [
  { method: 'get', action: 'get', verb: 'get' },
  { method: 'put', action: 'put', verb: 'update' },
  { method: 'patch', action: 'patch', verb: 'patch' },
  { method: 'delete', action: 'delete', verb: 'delete' },
];

const query = (name: string, type: string): JsonObject => ({ name, in: 'query', schema: { type, uniqueItems: true } });
const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** kubectl leaves validation to the server when a write takes `fieldValidation`. */
function parametersOf({ method }: Operation): JsonObject[] {
  if (method === 'get') return [];
  const dryRun = query('dryRun', 'string');
  if (method === 'delete') return [dryRun];
  const write = [dryRun, query('fieldManager', 'string'), query('fieldValidation', 'string')];
  return method === 'patch' ? [...write, query('force', 'boolean')] : write;
}

const PATCHES = ['application/json-patch+json', 'application/merge-patch+json'];
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

interface Body {
  gvk: JsonObject;
  /** kubectl sends a strategic patch only to what says here that it takes one. */
  patches: readonly string[];
  /** The name of its schema; undefined when it has none, such as the options of exec. */
  schema: string | undefined;
}

function requestBody({ method }: Operation, content: Json, patches: readonly string[]): JsonObject {
  if (method === 'get' || method === 'delete') return {};
  const patch = Object.fromEntries(patches.map((type) => [type, { schema: { type: 'object' } }]));
  return { requestBody: { content: method === 'patch' ? patch : content, required: true } };
}

function operations(list: readonly Operation[], verbs: readonly string[], body: Body): JsonObject {
  const { gvk, patches, schema } = body;
  const content: Json = schema === undefined ? {} : { 'application/json': { schema: schemaRef(schema) } };
  const result: JsonObject = {};
  for (const operation of list.filter(({ verb }) => verbs.includes(verb))) {
    result[operation.method] = {
      parameters: parametersOf(operation),
      ...requestBody(operation, content, patches),
      responses: { '200': { description: 'OK', content } },
      'x-kubernetes-action': operation.action,
      'x-kubernetes-group-version-kind': gvk,
    };
  }
  return result;
}

/** The paths of one resource, with its subresources. */
export function resourcePaths(
  resource: OpenApiResource,
  schemaOf: (gvk: { group: string; version: string; kind: string }) => string | undefined,
): JsonObject {
  const { group, version, kind, plural, namespaced, verbs } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const gvk = { group, version, kind };
  const patches = resource.schema === undefined ? [...PATCHES, STRATEGIC_PATCH] : PATCHES;
  const body = { gvk, patches, schema: schemaOf(gvk) };
  const place = namespaced ? [inPath('namespace')] : [];
  const paths: JsonObject = {
    [collection]: { ...operations(ON_COLLECTION, verbs, body), parameters: place },
  };
  const ofObject = [inPath('name'), ...place];
  const onObject = operations(ON_OBJECT, verbs, body);
  if (Object.keys(onObject).length > 0) paths[`${collection}/{name}`] = { ...onObject, parameters: ofObject };
  for (const { name, kind: own, verbs: subVerbs } of resource.subresources) {
    const list = [...ON_OBJECT, { method: 'post', action: 'post', verb: 'create' } as const];
    const subOperations = operations(list, subVerbs, own ? { gvk: { ...own }, patches, schema: schemaOf(own) } : body);
    paths[`${collection}/{name}/${name}`] = { ...subOperations, parameters: ofObject };
  }
  return paths;
}
