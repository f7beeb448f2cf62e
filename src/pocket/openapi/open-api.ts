import { createHash } from 'node:crypto';
import { isObject, stringifyJson, type JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import { goTypeOf, TYPES_HASH } from '../builtins/index.ts';
import { addSchemas, metadataStruct, schemaRef } from './go-schema.ts';
import { resourcePaths } from './paths.ts';
import type { OpenApiResource } from './resource.ts';

export interface OpenApi {
  /** The body of `GET /openapi/v3`. */
  index(): string;
  /** `path` is `api/v1` or `apis/<group>/<version>`; undefined when nothing is served there. */
  document(path: string): { hash: string; body: string } | undefined;
}

interface Entry {
  hash: string;
  resources: readonly OpenApiResource[];
  /** Built when first asked for. */
  body?: string;
}

const pathOf = ({ group, version }: ResourceType): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

function metadataRef(): JsonObject {
  return schemaRef(metadataStruct().name);
}

/** Upstream's name for a custom kind: the group's words in reverse order. */
function schemaName({ group, version, kind }: ResourceType): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

function addResource(resource: OpenApiResource, schemas: JsonObject): string {
  const { group, version, kind } = resource;
  const gvk = [{ group, version, kind }];
  const struct = goTypeOf(group, version, kind);
  if (struct) {
    addSchemas(struct, schemas);
    const schema = schemas[struct.name];
    if (isObject(schema)) schema['x-kubernetes-group-version-kind'] = gvk;
    return struct.name;
  }
  addSchemas(metadataStruct(), schemas);
  const { schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } = resource;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const name = schemaName(resource);
  schemas[name] = {
    ...schema,
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...properties, metadata: metadataRef() },
    'x-kubernetes-group-version-kind': gvk,
  };
  return name;
}

function buildBody(resources: readonly OpenApiResource[]): string {
  const schemas: JsonObject = {};
  const paths: JsonObject = {};
  for (const resource of resources) {
    const own = addResource(resource, schemas);
    const schemaOf = ({ group, version, kind }: Omit<ResourceType, 'plural' | 'namespaced'>): string | undefined => {
      if (kind === resource.kind && group === resource.group) return own;
      const struct = goTypeOf(group, version, kind);
      if (struct) addSchemas(struct, schemas);
      return struct?.name;
    };
    Object.assign(paths, resourcePaths(resource, schemaOf));
  }
  const info = { title: 'Kubernetes', version: 'unversioned' };
  return stringifyJson({ openapi: '3.0.0', info, paths, components: { schemas } });
}

/** Raised when this code makes another document of the same input; clients keep documents by their hash. */
const FORMAT = 3;

/** The hash is of what a document is made from, so that the index costs no document. */
function hashOf(resources: readonly OpenApiResource[]): string {
  const input = stringifyJson([FORMAT, TYPES_HASH, resources]);
  return createHash('sha256').update(input).digest('hex').toUpperCase();
}

class Documents implements OpenApi {
  readonly #entries = new Map<string, Entry>();

  constructor(resources: readonly OpenApiResource[], previous: OpenApi | undefined) {
    const known = previous instanceof Documents ? previous.#entries : undefined;
    for (const [path, group] of Map.groupBy(resources, pathOf)) {
      const hash = hashOf(group);
      const before = known?.get(path);
      this.#entries.set(path, before?.hash === hash ? before : { hash, resources: group });
    }
  }

  index(): string {
    const paths: JsonObject = {};
    for (const [path, { hash }] of this.#entries) {
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
    return stringifyJson({ paths });
  }

  document(path: string): { hash: string; body: string } | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return undefined;
    entry.body ??= buildBody(entry.resources);
    return { hash: entry.hash, body: entry.body };
  }
}

/** A view of the resources given; make a new one when they change: unchanged documents are taken over from `previous`. */
export function createOpenApi(resources: readonly OpenApiResource[], previous?: OpenApi): OpenApi {
  return new Documents(resources, previous);
}
