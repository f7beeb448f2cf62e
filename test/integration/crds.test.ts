import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { KINDS, kindFor, toCrd, type CustomResourceDefinition, type StructuralSchema } from '../../src/api/index.ts';
import { type Bed, bed, needs, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { MANIFEST_FOLDERS, manifests } from '../manifests.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = KINDS.map((kind) => toCrd(kind).metadata.name);

interface List<T> {
  items: T[];
}
interface StatusOfCrd {
  metadata: { name: string };
  status: { conditions: { type: string; status: string }[]; storedVersions: string[] };
}

const need = needsBed({ clusters: 1 });
describe.skipIf(need.missing)(need.title('a real API server with our CRDs'), () => {
  let b: Bed;
  const kubectl = async (args: string[], input?: string) =>
    await run(b.bin('kubectl'), {
      args: ['--kubeconfig', b.kubeconfig, '--warnings-as-errors', ...args],
      ...(input === undefined ? {} : { input }),
    });
  const all = MANIFEST_FOLDERS.flatMap((folder) => manifests(folder));

  beforeAll(async () => {
    b = await bed({ clusters: 1 });
    await kubectl(['create', '--validate=strict', '-f', join(ROOT, 'deploy/crds')]);
    // kubectl gives up at once where there are no conditions yet.
    const established = ['wait', '--for=condition=Established', '--timeout=60s', ...NAMES.map((name) => `crd/${name}`)];
    await eventually(() => kubectl(established), { withinMs: 60_000 });
    for (const namespace of ['velero', 'kanister', 'openshift-migration']) {
      await kubectl(['create', 'namespace', namespace]);
    }
  }, 180_000);
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
  });

  it('establishes every one of them, and finds nothing to complain about', async () => {
    const { items } = JSON.parse(await kubectl(['get', 'crds', '-o', 'json'])) as List<StatusOfCrd>;
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([...NAMES].sort());
    for (const { metadata, status } of items) {
      const holding = status.conditions.filter(({ status: held }) => held === 'True').map(({ type }) => type);
      expect(holding.sort(), metadata.name).toEqual(['Established', 'NamesAccepted']);
    }
  });

  it('accepts every example, fixture and seed in strict mode, and keeps every field of it', async () => {
    await kubectl(['create', '--validate=strict', ...MANIFEST_FOLDERS.flatMap((folder) => ['-f', join(ROOT, folder)])]);
    for (const { file, object } of all) {
      const kind = kindFor(object.apiVersion, object.kind)!;
      const { name, namespace } = object.metadata;
      const found = await kubectl(['get', `${kind.plural}.${kind.group}`, name, '-n', namespace, '-o', 'json']);
      const stored = kind.parse(JSON.parse(found));
      expect({ ...(stored.value as object), metadata: {} }, file).toEqual({
        ...(kind.parse(object).value as object),
        metadata: {},
      });
      expect(stored, file).toMatchObject({ unknown: [], dropped: [] });
    }
  }, 120_000);

  it('shows percent and ETA to who asks kubectl', async () => {
    const rows = (await kubectl(['get', 'datauploads', '-n', 'velero'])).split('\n').map((line) => line.split(/ {2,}/));
    expect(rows[0]?.slice(0, 4)).toEqual(['NAME', 'STATUS', 'PERCENT', 'ETA(S)']);
    expect(rows[1]?.slice(1, 4)).toEqual(['InProgress', '50', '51']);
  });

  it.each(['bsl', 'vsl', 'ssr', 'vpb', 'vpr', 'dvm', 'dvmp', 'dim'])('answers to the short name %s', async (name) => {
    expect(await kubectl(['get', name, '-A'])).toContain('NAME');
  });

  it('refuses an unknown field, an unknown phase and the time that is none', async () => {
    const seed = all.find(({ file }) => file.endsWith('001-action-set.yaml'))!.object;
    const asIs = JSON.stringify(seed).replace('12:48:55Z', '12:448:55Z').replace('seed-001', 'seed-001-as-is');
    const backup = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'bad', namespace: 'velero' } };
    const create = async (object: string) => await kubectl(['create', '--validate=strict', '-f', '-'], object);
    await expect(create(asIs)).rejects.toThrow(/lastTransitionTime.*date-time/s);
    await expect(create(JSON.stringify({ ...backup, spec: { tll: '1h' } }))).rejects.toThrow(
      /unknown field "spec.tll"/,
    );
    await expect(create(JSON.stringify({ ...backup, status: { phase: 'Odd' } }))).rejects.toThrow(/status.phase/);
  });
});

const velero = needs('velero');
describe.skipIf(velero.missing)(velero.title('our CRDs beside those of Velero'), () => {
  it('have all of its kinds, fields, types and values, and demand nothing more', async () => {
    const { programPath } = await import('../bed/cache.ts');
    const { partNamed } = await import('../bed/parts.ts');
    const args = ['install', '--crds-only', '--dry-run', '-o', 'yaml'];
    const yaml = await run(programPath(partNamed('velero')), { args });
    const list = parseAllDocuments(yaml).map((document) => document.toJS() as List<CustomResourceDefinition>)[0]!;
    expect(list.items).toHaveLength(13);
    for (const theirs of list.items) {
      const ours = KINDS.map(toCrd).find(({ metadata }) => metadata.name === theirs.metadata.name);
      expect(ours?.spec.names).toEqual(theirs.spec.names);
      expect(ours?.spec.versions[0]?.name).toBe(theirs.spec.versions[0]?.name);
      const schema = (crd: CustomResourceDefinition) => crd.spec.versions[0]!.schema.openAPIV3Schema;
      expect(differences(schema(theirs), schema(ours!))).toEqual([]);
    }
  });
});

const SAME = [
  'type',
  'format',
  'nullable',
  'enum',
  'minItems',
  'x-kubernetes-map-type',
  'x-kubernetes-list-type',
] as const;

function differences(theirs: StructuralSchema, ours: StructuralSchema | undefined, path = ''): string[] {
  if (ours === undefined) return [`${path} is missing`];
  const found = SAME.filter((key) => JSON.stringify(theirs[key]) !== JSON.stringify(ours[key])).map(
    (key) => `${path} ${key}: ${JSON.stringify(theirs[key])} there, ${JSON.stringify(ours[key])} here`,
  );
  const demanded = (ours.required ?? []).filter((name) => !theirs.required?.includes(name));
  found.push(...demanded.map((name) => `${path}.${name} is required`));
  for (const [name, field] of Object.entries(theirs.properties ?? {})) {
    found.push(...differences(field, ours.properties?.[name], `${path}.${name}`));
  }
  if (theirs.items) found.push(...differences(theirs.items, ours.items, `${path}[]`));
  const values = theirs.additionalProperties;
  if (values) found.push(...differences(values, ours.additionalProperties, `${path}.*`));
  return found;
}
