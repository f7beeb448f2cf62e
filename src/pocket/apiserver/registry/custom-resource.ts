import { isObject, objectAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import type { Subresource } from '../../builtins/index.ts';
import { compileStructural, readMetadata, validateCustomMetadata } from '../../schema/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../object/index.ts';
import { compareVersions } from './version-order.ts';
import type { CustomPart, KindSchema, PrinterColumn, Resource, ScalePaths } from './resource.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;
const READ_WRITE = ['get', 'patch', 'update'] as const;
const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** What all versions of one definition share. */
interface Facts {
  storageVersion: string;
  schemaRv: number;
  pruneStored: (object: ApiObject) => ApiObject;
}

/** Every served version of an established CustomResourceDefinition. */
export function customResources(crd: Readonly<ApiObject>, schemaRv: number): Resource[] {
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const stored = versions.find((version) => version['storage'] === true);
  const storageVersion = scalarTextAt(stored, 'name');
  const schema = schemaOf(crd, openApiSchemaOf(stored));
  const pruneStored = (object: ApiObject): ApiObject => schema.read(object).object as ApiObject;
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => customResource(crd, version, { storageVersion, schemaRv, pruneStored }));
}

function openApiSchemaOf(version: JsonObject | undefined): JsonObject | undefined {
  const schema = valueAt(version, 'schema', 'openAPIV3Schema');
  return isObject(schema) ? schema : undefined;
}

/** What who uses this version is told, in the words of the real server unless the definition has its own. */
function deprecationOf(crd: Readonly<ApiObject>, version: JsonObject): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const group = scalarTextAt(crd, 'spec', 'group');
  const kind = scalarTextAt(crd, 'spec', 'names', 'kind');
  const own = scalarTextAt(version, 'deprecationWarning');
  if (own !== '') return own;
  const name = scalarTextAt(version, 'name');
  const others = listAt(crd, 'spec', 'versions').filter(
    (other) => valueAt(other, 'served') === true && valueAt(other, 'deprecated') !== true,
  );
  const newer = others
    .map((other) => scalarTextAt(other, 'name'))
    .filter((other) => compareVersions(other, name) < 0)
    .toSorted(compareVersions)[0];
  const instead = newer === undefined ? '' : `; use ${group}/${newer} ${kind}`;
  return `${group}/${name} ${kind} is deprecated${instead}`;
}

function customResource(crd: Readonly<ApiObject>, version: JsonObject, facts: Facts): Resource {
  const names = objectAt(crd, 'status', 'acceptedNames');
  const group = scalarTextAt(crd, 'spec', 'group');
  const kind = scalarTextAt(names, 'kind');
  const subresources = subresourcesOf(version);
  const custom: CustomPart = {
    openApiSchema: openApiSchemaOf(version),
    columns: columnsOf(version),
    scale: scaleOf(version),
    selectableFields: listAt(version, 'selectableFields').map((field) =>
      scalarTextAt(field, 'jsonPath').replace(/^\./, ''),
    ),
    schemaRv: facts.schemaRv,
    pruneStored: facts.pruneStored,
  };
  return {
    group,
    version: scalarTextAt(version, 'name'),
    kind,
    plural: scalarTextAt(names, 'plural'),
    namespaced: scalarTextAt(crd, 'spec', 'scope') === 'Namespaced',
    singular: scalarTextAt(names, 'singular'),
    shortNames: texts(names['shortNames']),
    categories: texts(names['categories']),
    verbs: VERBS,
    subresources,
    listKind: scalarTextAt(names, 'listKind') || `${kind}List`,
    hasGeneration: true,
    hasStatus: subresources.some((sub) => sub.name === 'status'),
    storage: crd.metadata.name,
    storageApiVersion: `${group}/${facts.storageVersion}`,
    schema: schemaOf(crd, custom.openApiSchema),
    deprecation: deprecationOf(crd, version),
    custom,
  };
}

function schemaOf(crd: Readonly<ApiObject>, openApiSchema: JsonObject | undefined): KindSchema {
  const preserves = valueAt(crd, 'spec', 'preserveUnknownFields') === true;
  const structural = compileStructural(openApiSchema ?? { type: 'object' });
  return {
    read: (object) => {
      const pruned = preserves || openApiSchema === undefined ? { object, unknown: [] } : structural.prune(object);
      const { metadata, unknown, ...rest } = readMetadata(objectAt(pruned.object, 'metadata'));
      return { object: { ...pruned.object, metadata }, unknown: [...unknown, ...pruned.unknown].sort(), ...rest };
    },
    complete: (object) => structural.defaults(object),
    validate: (object, old) => [
      ...validateCustomMetadata(object, scalarTextAt(crd, 'spec', 'scope') === 'Namespaced'),
      ...structural.validate(object, old),
    ],
  };
}

function subresourcesOf(version: JsonObject): Subresource[] {
  const declared = objectAt(version, 'subresources');
  const found: Subresource[] = [];
  if (isObject(declared['status'])) found.push({ name: 'status', verbs: READ_WRITE });
  if (isObject(declared['scale'])) {
    found.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: READ_WRITE });
  }
  return found;
}

function scaleOf(version: JsonObject): ScalePaths | undefined {
  const scale = objectAt(version, 'subresources', 'scale');
  const specReplicas = scalarTextAt(scale, 'specReplicasPath');
  if (specReplicas === '') return undefined;
  const labelSelector = scalarTextAt(scale, 'labelSelectorPath');
  return {
    specReplicas,
    statusReplicas: scalarTextAt(scale, 'statusReplicasPath'),
    ...(labelSelector === '' ? {} : { labelSelector }),
  };
}

function columnsOf(version: JsonObject): readonly PrinterColumn[] {
  const declared = listAt(version, 'additionalPrinterColumns').filter(isObject);
  if (declared.length === 0) return [AGE];
  return declared.map((column) => ({
    name: scalarTextAt(column, 'name'),
    type: scalarTextAt(column, 'type'),
    format: scalarTextAt(column, 'format'),
    description:
      scalarTextAt(column, 'description') ||
      `Custom resource definition column (in JSONPath format): ${scalarTextAt(column, 'jsonPath')}`,
    jsonPath: scalarTextAt(column, 'jsonPath'),
    priority: typeof column['priority'] === 'number' ? column['priority'] : 0,
  }));
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
