import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kindFor } from '../../src/api/index.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../src/base/index.ts';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';

const crds = join(import.meta.dirname, '../../deploy/crds');
const contents = { clusters: 1, velero: { crds } };

interface Named {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  stringData?: Record<string, string>;
}

const shopFile = join(import.meta.dirname, '../fixtures/shop.yaml');
/** The sample application, integers beyond 2^53 exact. */
const shop = parseAllDocuments(readFileSync(shopFile, 'utf8'), { intAsBigInt: true }).map(
  (document) => parseJson(stringifyJson(document.toJS())) as Named,
);
const isExcluded = ({ metadata }: Named): boolean => metadata.labels?.['velero.io/exclude-from-backup'] === 'true';

/** How the object must look in the cluster: a Secret's stringData is write-only and comes back as base64 in data. */
function asStored({ stringData, ...object }: Named): object {
  if (stringData === undefined) return object;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const data = Object.fromEntries(Object.entries(stringData).map(([key, text]) => [key, base64(text)]));
  return { ...object, data };
}

const need = needsBed(contents);
describe.skipIf(need.missing)(need.title('Velero on our CRDs'), () => {
  let b: Bed;
  const kubectl = async (args: string[], input?: string) =>
    await run(b.bin('kubectl'), {
      args: ['--kubeconfig', b.kubeconfig, '--warnings-as-errors', ...args],
      ...(input === undefined ? {} : { input }),
    });
  const velero = async (...args: string[]) =>
    await run(b.bin('velero'), { args: ['--kubeconfig', b.kubeconfig, ...args], timeoutMs: 120_000 });
  const read = async (plural: string, name: string, namespace = 'velero') =>
    parseJson(await kubectl(['get', plural, name, '-n', namespace, '-o', 'json'])) as JsonObject;
  const parse = async (plural: string) => {
    const list = JSON.parse(await kubectl(['get', `${plural}.velero.io`, '-n', 'velero', '-o', 'json'])) as {
      items: Named[];
    };
    return list.items.map((item) => kindFor(item.apiVersion, item.kind)!.parse(item));
  };
  const resourceOf = ({ apiVersion, kind }: Named): string => {
    const [version, group] = apiVersion.split('/').toReversed();
    return group === undefined ? kind : `${kind}.${version!}.${group}`;
  };

  beforeAll(async () => {
    b = await bed(contents);
    const definitions = shop.filter(({ kind }) => kind === 'CustomResourceDefinition');
    for (const definition of definitions) {
      await kubectl(['create', '-f', '-'], stringifyJson(definition));
      // kubectl gives up at once where there are no conditions yet.
      await eventually(() => kubectl(['wait', '--for=condition=Established', `crd/${definition.metadata.name}`]));
    }
    await kubectl(['apply', '-f', shopFile]);
    await kubectl(['wait', '--for=jsonpath={.status.phase}=Bound', '-n', 'shop', 'pvc/data']);
    // It learns new kinds when it starts.
    await b.velero[0]!.start();
  }, 240_000);
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
  });

  it('backs up the sample application, and brings it back whole', async () => {
    const backup = await velero('backup', 'create', 'first', '--include-namespaces', 'shop', '--wait');
    expect(backup).toContain('Backup completed with status: Completed');
    await kubectl(['delete', 'namespace', 'shop', '--timeout=60s']);
    for (const object of shop.filter(
      ({ kind, metadata }) => metadata.namespace === undefined && kind !== 'Namespace',
    )) {
      await kubectl(['delete', resourceOf(object), object.metadata.name, '--timeout=60s']);
    }
    const restore = await velero('restore', 'create', 'first-again', '--from-backup', 'first', '--wait');
    expect(restore).toContain('Restore completed with status: Completed');
    const compare = async (object: Named) => {
      const { name, namespace } = object.metadata;
      const found = read(resourceOf(object), name, namespace ?? 'default');
      if (isExcluded(object)) await expect(found).rejects.toThrow('not found');
      else expect(await found, `${object.kind} ${name}`).toMatchObject(asStored(object));
    };
    await Promise.all(shop.map(compare));
    await velero('schedule', 'create', 'nightly', '--schedule', '@daily', '--include-namespaces', 'shop');
    expect(await velero('version')).toContain('v1.18.3');
  }, 300_000);

  it('keeps every field of the status that it wrote', async () => {
    const stored = join(b.s3!.directory, b.s3!.bucket, 'backups/first/velero-backup.json');
    const written = JSON.parse(readFileSync(stored, 'utf8')) as JsonObject;
    const backup = await read('backups.velero.io', 'first');
    expect(backup['spec']).toEqual(written['spec']);
    expect(backup['status']).toEqual(written['status']);
    const restore = await read('restores.velero.io', 'first-again');
    for (const [{ status }, done] of [
      [backup, 'itemsBackedUp'],
      [restore, 'itemsRestored'],
    ] as const) {
      const { progress, ...rest } = status as JsonObject & { progress: Record<string, number> };
      expect(rest).toMatchObject({ phase: 'Completed', startTimestamp: expect.any(String) as string });
      expect(progress['totalItems']).toBeGreaterThan(shop.length);
      expect(progress[done]).toBe(progress['totalItems']);
    }
  });

  it('is never warned of our CRDs by the API server', () => {
    const logs = readdirSync(join(b.directory, 'logs')).filter((file) => file.includes('velero'));
    expect(logs).toHaveLength(1);
    const log = readFileSync(join(b.directory, 'logs', logs[0]!), 'utf8');
    const warnings = new Set([...log.matchAll(/msg="Warning: (.*)" logSource/g)].map(([, said]) => said));
    // Velero still reads these, and so the log shows that warnings get there.
    expect([...warnings]).toEqual(['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice']);
  });

  it.each([
    ['backups', { status: { phase: 'Completed' } }],
    ['restores', { status: { phase: 'Completed' } }],
    ['schedules', { spec: { schedule: '@daily' } }],
    ['backupstoragelocations', { status: { phase: 'Available' } }],
  ])('writes %s that we read whole', async (plural, value) => {
    const parsed = await parse(plural);
    expect(parsed).toHaveLength(1);
    expect(parsed[0]).toMatchObject({ unknown: [], dropped: [], value });
  });

  it('shows its progress in our columns', async () => {
    const [header = '', row = ''] = (await kubectl(['get', 'backups', '-n', 'velero'])).split('\n');
    expect(header).toMatch(/^NAME +STATUS +PERCENT +STAGE +ITEMS +TOTAL +ETA\(S\) +ERRORS +AGE$/);
    expect(row).toMatch(/^first +Completed +\d+ +\d+ /);
  });
});
