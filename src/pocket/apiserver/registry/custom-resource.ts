import { isObject, objectAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import type { Subresource } from '../../builtins/index.ts';
import { compileStructural, readMetadata, validateCustomMetadata } from '../../schema/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../object/index.ts';
import type { CustomPart, KindSchema, PrinterColumn, Resource, ScalePaths } from './resource.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;
const READ_WRITE = ['get', 'patch', 'update'] as const;
const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** Every served version of an established CustomResourceDefinition. */
export function customResources(crd: Readonly<ApiObject>, schemaRv: number): Resource[] {
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const storageVersion = scalarTextAt(
    versions.find((version) => version['storage'] === true),
    'name',
  );
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => customResource(crd, version, { storageVersion, schemaRv }));
}

function customResource(
  crd: Readonly<ApiObject>,
  version: JsonObject,
  facts: { storageVersion: string; schemaRv: number },
): Resource {
  const names = objectAt(crd, 'status', 'acceptedNames');
  const group = scalarTextAt(crd, 'spec', 'group');
  const kind = scalarTextAt(names, 'kind');
  const subresources = subresourcesOf(version);
  const openApiSchema = valueAt(version, 'schema', 'openAPIV3Schema');
  const custom: CustomPart = {
    openApiSchema: isObject(openApiSchema) ? openApiSchema : undefined,
    columns: columnsOf(version),
    scale: scaleOf(version),
    selectableFields: listAt(version, 'selectableFields').map((field) =>
      scalarTextAt(field, 'jsonPath').replace(/^\./, ''),
    ),
    schemaRv: facts.schemaRv,
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
