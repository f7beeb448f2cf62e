import type { JsonObject } from '../../src/base/index.ts';
import type { ApiServer } from '../../src/pocket/apiserver/api-server.ts';
import { notFound, unknownResource } from '../../src/pocket/apiserver/errors/index.ts';
import { listObjects, select } from '../../src/pocket/apiserver/list/index.ts';
import type { ApiObject } from '../../src/pocket/apiserver/object/index.ts';
import {
  applyPatch,
  createObject,
  deleteObject,
  servedCopy,
  updateObject,
  type DeleteOptions,
  type PatchKind,
  type Resource,
  type UpdateOptions,
} from '../../src/pocket/apiserver/registry/index.ts';

interface TypeName {
  group: string;
  version: string;
  plural: string;
}

interface ObjectPlace {
  type: TypeName;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
  name: string;
}

interface ListQuery {
  namespace?: string | undefined;
  labelSelector?: string;
  fieldSelector?: string;
}

/** The rules of the registry, one method each, on objects that the caller may change. */
export interface RuleClient {
  get(place: ObjectPlace): Promise<ApiObject>;
  list(type: TypeName, query?: ListQuery): Promise<{ items: ApiObject[]; resourceVersion: string }>;
  create(type: TypeName, object: JsonObject): Promise<ApiObject>;
  /** With `metadata.resourceVersion` it is refused when somebody else was faster. */
  update(type: TypeName, object: ApiObject): Promise<ApiObject>;
  updateStatus(type: TypeName, object: ApiObject): Promise<ApiObject>;
  /** Namespaces only: writes `spec.finalizers`. */
  finalize(type: TypeName, object: ApiObject): Promise<ApiObject>;
  patch(place: ObjectPlace, kind: PatchKind, patch: unknown, part?: 'status'): Promise<ApiObject>;
  delete(place: ObjectPlace, options?: DeleteOptions): Promise<void>;
}

export function createRuleClient(server: ApiServer): RuleClient {
  const { store, registry } = server;
  const find = ({ group, version, plural }: TypeName): Resource => {
    const resource = server.types.find(group, version, plural);
    if (resource === undefined) throw unknownResource();
    return resource;
  };
  const replace = async (type: TypeName, object: ApiObject, part?: UpdateOptions['part']): Promise<ApiObject> => {
    const resource = find(type);
    const { namespace = '', name } = object.metadata;
    // Only what the caller says it read is compared; a copy keeps the caller's object as it is.
    const body = structuredClone(object);
    const options = { isPatch: true, ...(part === undefined ? {} : { part }) };
    return servedCopy(resource, await updateObject(registry, { resource, namespace, name }, () => body, options));
  };
  return {
    get: async ({ type, namespace = '', name }) => {
      const resource = find(type);
      const stored = store.read(resource.storage, namespace, name);
      if (stored === undefined) throw notFound(resource, name);
      return Promise.resolve(servedCopy(resource, stored));
    },
    list: async (type, query = {}) => {
      const resource = find(type);
      const { items, rv } = listObjects(store, select(resource, query));
      return Promise.resolve({
        items: items.map((stored) => servedCopy(resource, stored)),
        resourceVersion: String(rv),
      });
    },
    create: async (type, object) => {
      const resource = find(type);
      const metadata = object['metadata'] as Partial<ApiObject['metadata']> | undefined;
      const place = { resource, namespace: resource.namespaced ? (metadata?.namespace ?? 'default') : '' };
      return servedCopy(resource, await createObject(registry, place, structuredClone(object)));
    },
    update: (type, object) => replace(type, object),
    updateStatus: (type, object) => replace(type, object, 'status'),
    finalize: (type, object) => replace(type, object, 'finalize'),
    patch: async ({ type, namespace = '', name }, kind, patch, part) => {
      const resource = find(type);
      const place = { resource, namespace, name };
      const options = { isPatch: true, ...(part === undefined ? {} : { part }) };
      const change = (current: ApiObject): unknown => applyPatch(resource, current, kind, structuredClone(patch));
      return servedCopy(resource, await updateObject(registry, place, change, options));
    },
    delete: async ({ type, namespace = '', name }, options = {}) => {
      await deleteObject(registry, { resource: find(type), namespace, name }, options);
    },
  };
}
