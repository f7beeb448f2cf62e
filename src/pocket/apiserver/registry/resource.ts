import type { JsonObject, MergeType } from '../../../base/index.ts';
import { apiVersionOf, type ResourceType } from '../../../api/meta/resource-type.ts';
import { applyBuiltinDefaults, type BuiltinType, type Subresource } from '../../builtins/index.ts';
import { builtinSchema, validateBuiltin, type FieldError } from '../../schema/index.ts';
import type { ApiObject } from '../object/index.ts';
import { AUTOSCALER_VIEW } from './autoscaler-view.ts';
import { EVENTS_VIEW, type View } from './event-view.ts';

/** What a kind's schema does with a body, whether the schema comes from Go types or from a CustomResourceDefinition. */
export interface KindSchema {
  /** `typeError`: the body is no such kind. `unknown`: paths of fields the kind does not have. */
  read(object: JsonObject): { object: JsonObject; unknown: readonly string[]; typeError?: string };
  /** Fills in what was left out and brings values into the form they are stored in. */
  complete(object: JsonObject): JsonObject;
  validate(object: JsonObject, old?: JsonObject): FieldError[];
  /** Absent where strategic merge patches are refused, as for custom resources. */
  merge?: MergeType;
}

export interface PrinterColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  jsonPath: string;
  priority?: number;
}

/** JSON paths such as `.spec.replicas`. */
export interface ScalePaths {
  specReplicas: string;
  statusReplicas: string;
  labelSelector?: string;
}

/** What only a resource of a CustomResourceDefinition has. */
export interface CustomPart {
  openApiSchema: JsonObject | undefined;
  columns: readonly PrinterColumn[];
  scale: ScalePaths | undefined;
  selectableFields: readonly string[];
  /** Objects written before this resourceVersion may lack defaults that the schema has gained since. */
  schemaRv: number;
  /** Without what the version that is stored does not have. */
  pruneStored: (object: ApiObject) => ApiObject;
}

/** One version of one resource as it is served. */
export interface Resource extends ResourceType {
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  verbs: readonly string[];
  subresources: readonly Subresource[];
  listKind: string;
  hasGeneration: boolean;
  hasStatus: boolean;
  /** The table of the store that holds it; all versions and views of a kind share one. */
  storage: string;
  /** The apiVersion and group in which objects are stored. */
  storageApiVersion: string;
  schema: KindSchema;
  /** What users of this version are warned of. */
  deprecation: string | undefined;
  view?: View;
  custom?: CustomPart;
}

/** Kinds that are stored as another one: the same objects in another shape. */
const VIEWS: Readonly<Record<string, { of: { group: string; version: string }; view: View }>> = {
  'events.k8s.io/v1/Event': { of: { group: '', version: 'v1' }, view: EVENTS_VIEW },
  'autoscaling/v1/HorizontalPodAutoscaler': { of: { group: 'autoscaling', version: 'v2' }, view: AUTOSCALER_VIEW },
};

const DEPRECATED: Readonly<Record<string, string>> = {
  'v1/Endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

export function builtinResource(type: BuiltinType): Resource {
  const viewed = VIEWS[`${apiVersionOf(type)}/${type.kind}`];
  const stored = { ...type, ...viewed?.of };
  return {
    ...type,
    listKind: `${type.kind}List`,
    hasStatus: hasSubresource(type, 'status'),
    storage: storageName(stored),
    storageApiVersion: apiVersionOf(stored),
    schema: builtinKindSchema(type),
    deprecation: DEPRECATED[`${apiVersionOf(type)}/${type.kind}`],
    ...(viewed === undefined ? {} : { view: completing(viewed.view, stored) }),
  };
}

/** What a view stores gets the defaults of the kind it is stored as. */
function completing(view: View, stored: BuiltinType): View {
  const schema = builtinKindSchema(stored);
  return { ...view, toStored: (served) => schema.complete(view.toStored(served)) as ApiObject };
}

function builtinKindSchema(type: BuiltinType): KindSchema {
  const types = builtinSchema(type);
  return {
    read: (object) => {
      const checked = types?.check(object);
      return checked === undefined ? { object, unknown: [] } : { object, ...checked };
    },
    complete: (object) => {
      const defaulted = applyBuiltinDefaults(type, object);
      return types?.normalize(defaulted) ?? defaulted;
    },
    validate: (object, old) => validateBuiltin(type, object, old),
    ...(types === undefined ? {} : { merge: types.merge }),
  };
}

export function hasSubresource(resource: { subresources: readonly Subresource[] }, name: string): boolean {
  return resource.subresources.some((sub) => sub.name === name);
}

export function storageName(type: { group: string; plural: string }): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

/** The head of every stored text; it lets a list or another version be cut and pasted without parsing. */
export function headOf(kind: string, apiVersion: string): string {
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
}
