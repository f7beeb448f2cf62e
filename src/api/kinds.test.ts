import { describe, expect, it } from 'vitest';
import { MANIFEST_FOLDERS, manifests } from '../../test/manifests.ts';
import { KINDS, kindFor, STAGES, toCrd, type AnyKind, type StructuralSchema } from './index.ts';

interface Visit {
  path: string;
  schema: StructuralSchema;
  isField: boolean;
}

function* visits(schema: StructuralSchema, path = '', isField = false): Generator<Visit> {
  yield { path, schema, isField };
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* visits(field, `${path}.${name}`, true);
  if (schema.items) yield* visits(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* visits(schema.additionalProperties, `${path}.*`);
}

const each = KINDS.map((kind) => [kind.kind, kind] as const);
const statusOf = (kind: AnyKind) => kind.structural().properties?.['status'];

describe.each(each)('%s', (_, kind) => {
  it('has a type at every level, and a schema that a server can prune by', () => {
    for (const { path, schema } of visits(kind.structural())) {
      const isTyped = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;
      expect(isTyped, `${path} has a type`).toBe(true);
      const isBoth = schema.properties !== undefined && schema.additionalProperties !== undefined;
      expect(isBoth, `${path} is an object or a map, not both`).toBe(false);
    }
  });

  it('says what every field is, in a sentence', () => {
    expect(kind.doc).toMatch(/^[A-Z].+\.$/);
    for (const { path, schema, isField } of visits(kind.structural())) {
      if (isField && path !== '.metadata') expect(schema.description, path).toMatch(/^\S.*\.$/);
    }
  });

  it('shows columns that lead to fields, and its age', () => {
    expect(kind.columns.map(({ name }) => name)).toContain('Age');
    const paths = [...visits(kind.structural())].map(({ path }) => path);
    for (const { jsonPath } of kind.columns) {
      const path = jsonPath.replace(/\[\?.*?\]/, '[]');
      expect(path.startsWith('.metadata.') || paths.includes(path), jsonPath).toBe(true);
    }
  });

  it('has no status subresource, since upstream writes status with the object', () => {
    const { spec } = toCrd(kind);
    expect(spec.versions).toHaveLength(1);
    expect(spec.versions[0]).not.toHaveProperty('subresources');
    expect(spec.names.singular).toBe(kind.kind.toLowerCase());
  });

  it('says nothing in its definition that the API server would drop', () => {
    expect(JSON.stringify(toCrd(kind))).not.toContain('"properties":{}');
  });

  it('has conditions wherever it has a status', () => {
    const status = statusOf(kind);
    if (kind.kind === 'Blueprint' || kind.kind === 'Profile') expect(status).toBeUndefined();
    else expect(status?.properties).toHaveProperty('conditions');
  });

  it('has no defaults: absent stays absent', () => {
    for (const { path, schema } of visits(kind.structural())) expect(schema, path).not.toHaveProperty('default');
  });
});

const LONG_RUNNING = [
  'Backup',
  'Restore',
  'PodVolumeBackup',
  'PodVolumeRestore',
  'VolumePluginBackup',
  'VolumePluginRestore',
  'DataUpload',
  'DataDownload',
  'ActionSet',
  'MigMigration',
  'DirectVolumeMigration',
  'DirectVolumeMigrationProgress',
  'DirectImageMigration',
];

describe('all kinds', () => {
  it('are twenty-six, each once', () => {
    expect(new Set(KINDS.map((kind) => toCrd(kind).metadata.name)).size).toBe(26);
    const shortNames = KINDS.flatMap((kind) => kind.shortNames);
    expect(new Set(shortNames).size).toBe(shortNames.length);
  });

  it('report progress in one form if they run for long, and show it', () => {
    const reporting = KINDS.filter((kind) => statusOf(kind)?.properties?.['progress'] !== undefined);
    expect(reporting.map(({ kind }) => kind).sort()).toEqual([...LONG_RUNNING].sort());
    for (const kind of reporting) {
      const progress = statusOf(kind)?.properties?.['progress']?.properties ?? {};
      expect(progress['percent']).toMatchObject({ type: 'integer', minimum: 0, maximum: 100 });
      expect(progress['stage']?.enum).toEqual([...STAGES]);
      expect(kind.columns.some(({ name }) => name === 'ETA(s)')).toBe(true);
      expect(kind.columns.some(({ name }) => name === 'Percent' || name === 'Progress')).toBe(true);
    }
  });

  it('are found by what an object says it is', () => {
    for (const kind of KINDS) expect(kindFor(`${kind.group}/${kind.version}`, kind.kind)).toBe(kind);
    expect(kindFor('velero.io/v1', 'DataUpload')).toBeUndefined();
  });
});

const all = MANIFEST_FOLDERS.flatMap((folder) => manifests(folder));

describe('the manifests', () => {
  it.each(all.map(({ file, object }) => [file, object] as const))('%s is read whole', (_, object) => {
    const parsed = kindFor(object.apiVersion, object.kind)?.parse(object);
    expect(parsed).toMatchObject({ unknown: [], dropped: [] });
  });

  it('show every kind at least once', () => {
    const shown = new Set(all.map(({ object }) => object.kind));
    expect(KINDS.map(({ kind }) => kind).filter((kind) => !shown.has(kind))).toEqual([]);
  });

  it('have names of their own, so that all fit into one cluster', () => {
    const names = all.map(({ object }) => `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
