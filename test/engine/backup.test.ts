import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import {
  createBackupController,
  itemsOfBackup,
  planOfBackup,
  verifyBackup,
} from '../../src/control/controllers/backup/index.ts';
import { encodeItem } from '../../src/edge/archive/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { CONFIG_MAPS, CRDS, NAMESPACES, objectOf, SECRETS } from '../kube-kinds.ts';
import { BackupFiles, storeOf, temporaryFolder } from './backup-files.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import type { ResourceList } from '../../src/core/selection/index.ts';

let cluster: EngineCluster;
let engine: Engine;

beforeAll(async () => {
  cluster = await startCluster();
  engine = await startEngine(cluster, {
    controllers: (deps, caches) => createBackupController({ concurrentBackups: 4 }, deps, caches).parts,
  });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

async function make(type: typeof CONFIG_MAPS, namespace: string | undefined, name: string, more: JsonObject = {}) {
  const target = namespace === undefined ? { type } : { type, namespace };
  return await cluster.kube.create(target, objectOf(type, name, more));
}

async function backUp(name: string, spec: JsonObject): Promise<{ backup: KubeObject; files: BackupFiles }> {
  await request(cluster.kube, Backup, name, { spec });
  return { backup: await ended(cluster.kube, Backup, name), files: new BackupFiles(cluster, name) };
}

async function golden(name: string): Promise<Record<string, { list: ResourceList }>> {
  const file = new URL(`../fixtures/velero/compat-${name}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, { list: ResourceList }>;
}

const labelled = (labels: Record<string, string>): JsonObject => ({ metadata: { labels } });

describe('a backup holds what Velero put into it', () => {
  it('by namespaces', async () => {
    for (const namespace of ['c02-a', 'c02-b', 'c02-c']) {
      await make(NAMESPACES, undefined, namespace);
      await make(CONFIG_MAPS, namespace, 'm');
    }
    const { backup, files } = await backUp('c02', { includedNamespaces: ['c02-a', 'c02-b'] });
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 0, errors: 0 });
    expect(files.list()).toEqual((await golden('02-namespace-filters'))['b1']?.list);
  });

  it('and fails in part for a namespace that is named and not there, as long as namespaces are wanted', async () => {
    const { backup, files } = await backUp('not-there', { includedNamespaces: ['c02-a', 'not-there'] });
    expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', warnings: 0, errors: 1 });
    expect(JSON.stringify(files.json('-results.gz'))).toContain('namespace not-there does not exist');
    const only = { includedNamespaces: ['not-there'], includedResources: ['configmaps'] };
    expect((await backUp('not-wanted', only)).backup['status']).toMatchObject({ phase: 'Completed', errors: 0 });
  });

  it('and names kinds that the cluster does not have in a condition', async () => {
    const spec = { includedNamespaces: ['c02-a'], includedResources: ['configmaps', 'unicorns'] };
    const { backup } = await backUp('unicorns', spec);
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 0, errors: 0 });
    const message = 'the cluster has no kind unicorns';
    expect(objectsAt(backup, 'status', 'conditions')).toContainEqual(
      expect.objectContaining({ type: 'UnmatchedNames', message }),
    );
  });

  it('and says in a condition when nothing was selected, or a selector selects nothing', async () => {
    const nothing = await backUp('typo', { includedNamespaces: ['c02-aa'], includedResources: ['configmaps'] });
    expect(nothing.backup['status']).toMatchObject({ phase: 'Completed', warnings: 0, errors: 0 });
    const missing = 'the cluster has no namespace "c02-aa"; did you mean "c02-a"?';
    expect(objectsAt(nothing.backup, 'status', 'conditions')).toMatchObject([
      { type: 'NothingSelected', message: `nothing in the cluster was selected: ${missing}` },
    ]);
    const spec = { includedNamespaces: ['c02-a'], labelSelector: { matchLabels: { app: 'typo' } } };
    const { backup } = await backUp('typo-2', spec);
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 0 });
    const message = 'nothing that is chosen in the cluster has the labels app=typo';
    expect(objectsAt(backup, 'status', 'conditions')).toMatchObject([{ type: 'UnmatchedNames', message }]);
  });

  it('by resources', async () => {
    await make(NAMESPACES, undefined, 'c03');
    await make(CONFIG_MAPS, 'c03', 'm');
    await make(SECRETS, 'c03', 's');
    const { b1, b2, b3 } = await golden('03-resource-filters');
    const only = await backUp('c03-inc', { includedNamespaces: ['c03'], includedResources: ['configmaps'] });
    expect(only.files.list()).toEqual(b1?.list);
    const without = { includedNamespaces: ['c03'], excludedResources: ['secrets', 'serviceaccounts'] };
    expect((await backUp('c03-exc', without)).files.list()).toEqual(b2?.list);
    expect((await backUp('c03-all', { includedNamespaces: ['c03'] })).files.list()).toEqual(b3?.list);
  });

  it('by labels', async () => {
    await make(NAMESPACES, undefined, 'c04');
    await make(CONFIG_MAPS, 'c04', 'yes', labelled({ keep: 'true' }));
    await make(CONFIG_MAPS, 'c04', 'no');
    await make(CONFIG_MAPS, 'c04', 'never', labelled({ keep: 'true', 'velero.io/exclude-from-backup': 'true' }));
    await make(CONFIG_MAPS, 'c04', 'other', labelled({ tier: 'x' }));
    const { b1, b2, b3 } = await golden('04-selectors');
    const includedNamespaces = ['c04'];
    const keep = { matchLabels: { keep: 'true' } };
    expect((await backUp('c04-sel', { includedNamespaces, labelSelector: keep })).files.list()).toEqual(b1?.list);
    const orLabelSelectors = [keep, { matchLabels: { tier: 'x' } }];
    expect((await backUp('c04-or', { includedNamespaces, orLabelSelectors })).files.list()).toEqual(b2?.list);
    expect((await backUp('c04-all', { includedNamespaces })).files.list()).toEqual(b3?.list);
  });

  it('by policies about single kinds, which take the place of labels where they say something', async () => {
    for (const namespace of ['fine', 'plain']) {
      await make(NAMESPACES, undefined, namespace);
      for (const name of ['a', 'b']) await make(SECRETS, namespace, name);
      await make(CONFIG_MAPS, namespace, 'kept', labelled({ keep: 'true' }));
    }
    const rules = `
version: v1
namespacedFilterPolicies:
- namespaces: [fine]
  resourceFilters: [{kinds: [Secret], names: [a]}]
`;
    await make(CONFIG_MAPS, NAMESPACE, 'fine-rules', { data: { rules } });
    const { backup, files } = await backUp('fine', {
      includedNamespaces: ['fine', 'plain'],
      labelSelector: { matchLabels: { keep: 'true' } },
      resourcePolicy: { kind: 'configmap', name: 'fine-rules' },
    });
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 0, errors: 0 });
    expect(files.list()).toEqual({
      'v1/ConfigMap': ['plain/kept'],
      'v1/Namespace': ['fine', 'plain'],
      'v1/Secret': ['fine/a'],
    });
  });
});

describe('what a backup leaves in the store', () => {
  it('is every file of Velero, each item twice and byte for byte, and counts that agree', async () => {
    await make(NAMESPACES, undefined, 'files');
    const data = { text: 'grüße <&> 世界', empty: '' };
    const map = await make(CONFIG_MAPS, 'files', 'm', { data });
    const { backup, files } = await backUp('files', { includedNamespaces: ['files'] });
    const endings = [
      ...['-itemoperations.json.gz', '-logs.gz', '-podvolumebackups.json.gz', '-resource-list.json.gz', '-results.gz'],
      ...['-volumeinfo.json.gz', '-volumesnapshots.json.gz', '.tar.gz'],
    ];
    expect(files.names()).toEqual([...endings.map((ending) => `files${ending}`), 'velero-backup.json'].toSorted());
    expect(files.json('-results.gz')).toEqual({ errors: {}, warnings: {} });
    expect(files.json('-podvolumebackups.json.gz')).toBeNull();
    expect(files.json('-volumesnapshots.json.gz')).toBeNull();
    expect(files.json('-itemoperations.json.gz')).toEqual([]);
    expect(files.json('-volumeinfo.json.gz')).toEqual([]);
    expect(files.log()).toMatch(/level=info msg="backup begins" backup=velero\/files/);
    const archive = await files.archive();
    expect([...archive][0]).toEqual(['metadata/version', '1.1.0\n']);
    const bytes = encodeItem(map);
    expect(archive.get('resources/configmaps/namespaces/files/m.json')).toBe(bytes);
    expect(archive.get('resources/configmaps/v1-preferredversion/namespaces/files/m.json')).toBe(bytes);
    expect(archive.has('resources/namespaces/cluster/files.json')).toBe(true);
    const items = Number(valueAt(backup, 'status', 'progress', 'itemsBackedUp'));
    expect(items).toBe((archive.size - 1) / 2);
    expect(valueAt(backup, 'status', 'progress')).toMatchObject({ percent: 100, totalItems: items });
    expect(files.metadata()).toMatchObject({
      kind: 'Backup',
      metadata: { uid: backup.metadata.uid },
      status: {
        phase: 'Completed',
        formatVersion: '1.1.0',
        expiration: textAt(backup, 'status', 'expiration'),
        archive: { items, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      },
    });
    // The stock CLI shows annotations; ours are in status, which it does not show.
    expect(Object.keys(backup.metadata.annotations ?? {}).filter((name) => !name.startsWith('velero.io/'))).toEqual([]);
  });

  it('takes the definition of a custom resource along, also one that is a second old', async () => {
    await make(NAMESPACES, undefined, 'custom');
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { kind: 'Cart', listKind: 'CartList', plural: 'carts', singular: 'cart' };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const spec = { group: 'shop.example.com', names, scope: 'Namespaced', versions };
    await make(CRDS, undefined, 'carts.shop.example.com', { spec });
    const carts = { group: 'shop.example.com', version: 'v1', kind: 'Cart', plural: 'carts', namespaced: true };
    await make(carts, 'custom', 'mine');
    const { files } = await backUp('custom', { includedNamespaces: ['custom'] });
    expect(files.list()).toMatchObject({
      'apiextensions.k8s.io/v1/CustomResourceDefinition': ['carts.shop.example.com'],
      'shop.example.com/v1/Cart': ['custom/mine'],
    });
  });

  it('begins with what orderedResources names', async () => {
    await make(NAMESPACES, undefined, 'ordered');
    for (const name of ['a', 'b', 'c']) await make(CONFIG_MAPS, 'ordered', name);
    const orderedResources = { cm: 'ordered/c, ordered/gone,ordered/b' };
    const { backup, files } = await backUp('ordered', { includedNamespaces: ['ordered'], orderedResources });
    const maps = [...(await files.archive()).keys()].filter((path) => /^resources\/configmaps\/namesp/.test(path));
    expect(maps.map((path) => path.split('/').at(-1))).toEqual(['c.json', 'b.json', 'a.json', 'kube-root-ca.crt.json']);
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 1 });
    expect(JSON.stringify(files.json('-results.gz'))).toContain('orderedResources names it, but the cluster does not');
    const labelSelector = { matchLabels: { no: 'such' } };
    const none = await backUp('ordered-none', { includedNamespaces: ['ordered'], orderedResources, labelSelector });
    expect(none.backup['status']).toMatchObject({ phase: 'Completed', warnings: 3 });
  });

  it('warns of what orderedResources names elsewhere, or with other labels', async () => {
    const { backup, files } = await backUp('ordered-elsewhere', {
      includedNamespaces: ['ordered'],
      labelSelector: { matchLabels: { none: 'such' } },
      orderedResources: { cm: 'velero/x,ordered/a' },
    });
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 2 });
    const { namespaces } = (files.json('-results.gz') as { warnings: { namespaces: Record<string, string[]> } })
      .warnings;
    expect(namespaces['velero']).toEqual([expect.stringContaining('its namespace is not in the backup')]);
    expect(namespaces['ordered']).toEqual([expect.stringContaining('no selector matches its labels')]);
  });

  it('is not whole when a namespace that was named is not there', async () => {
    const { backup, files } = await backUp('no-namespace', { includedNamespaces: ['ordered', 'not-there', 'none-*'] });
    expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', errors: 1, warnings: 0 });
    expect(files.json('-results.gz')).toMatchObject({
      errors: { namespaces: { 'not-there': ['namespace not-there does not exist'] } },
    });
    expect(Object.keys(files.json('-resource-list.json.gz') as object)).toContain('v1/ConfigMap');
  });
});

describe('a request that cannot be carried out', () => {
  it('is refused with every problem at once, and what the server filled in', async () => {
    const both = { matchLabels: { a: 'b' } };
    const { backup } = await backUp('refused', {
      ...{ includedNamespaces: ['a'], excludedNamespaces: ['a'], labelSelector: both, orLabelSelectors: [both] },
      ...{ includedResources: ['pods'], includedClusterScopedResources: ['nodes'] },
    });
    const { phase, validationErrors } = backup['status'] as { phase: string; validationErrors: string[] };
    expect(phase).toBe('FailedValidation');
    expect(validationErrors).toHaveLength(3);
    expect(backup['spec']).toMatchObject({ storageLocation: 'default', ttl: '720h0m0s' });
    // It is found by its location and expires like any other.
    expect(backup.metadata.labels).toEqual({ 'velero.io/storage-location': 'default' });
    expect(backup.metadata.annotations).toMatchObject({ 'velero.io/resource-timeout': '10m0s' });
    expect(backup['status']).toMatchObject({ formatVersion: '1.1.0', version: 1 });
    expect(Date.parse(textAt(backup, 'status', 'expiration') ?? '')).toBeGreaterThan(Date.now());
  });

  it('is refused when it would be deleted at once, and is there to be seen', async () => {
    const { backup } = await backUp('short-lived', { includedNamespaces: ['a'], ttl: '-5m0s' });
    expect(backup['status']).toMatchObject({
      phase: 'FailedValidation',
      validationErrors: [expect.stringMatching('^ttl:')],
    });
    expect(Date.parse(textAt(backup, 'status', 'expiration') ?? '')).toBeGreaterThan(Date.now());
  });

  it('never touches a backup of the same name that is in the store', async () => {
    const { files } = await backUp('twice', { includedNamespaces: ['c03'] });
    const before = JSON.stringify(files.metadata());
    await cluster.kube.delete({ type: Backup, namespace: NAMESPACE, name: 'twice' });
    const { backup } = await backUp('twice', { includedNamespaces: ['c03'] });
    expect(backup['status']).toMatchObject({ phase: 'Failed' });
    expect(textAt(backup, 'status', 'failureReason')).toContain('already exists in object storage');
    expect(JSON.stringify(files.metadata())).toBe(before);
    expect(files.names()).toHaveLength(9);
  });
});

describe('looking at backups', () => {
  it('tells what one would hold, and creates nothing', async () => {
    const spec = { includedNamespaces: ['c04'], labelSelector: { matchLabels: { keep: 'true' } } };
    const object = objectOf(Backup, 'dry', { metadata: { namespace: NAMESPACE }, spec });
    const plan = await planOfBackup(object, engine.deps, {}, AbortSignal.timeout(10_000));
    expect(plan).toMatchObject({ validationErrors: [], warnings: [], namespaces: ['c04'], total: 2 });
    expect(plan.resources.map(({ resource, count }) => [resource, count])).toEqual([
      ['configmaps', 1],
      ['namespaces', 1],
    ]);
    expect(plan.leftOut).toContainEqual({
      ...{ reason: 'it has the label velero.io/exclude-from-backup=true', count: 1 },
      examples: ['configmaps c04/never'],
    });
    const get = cluster.kube.get({ type: Backup, namespace: NAMESPACE, name: 'dry' });
    await expect(get).rejects.toMatchObject({ code: 'notFound' });
    const bad = { ...object, spec: { ...spec, storageLocation: 'nowhere' } };
    const refused = await planOfBackup(bad, engine.deps, {}, AbortSignal.timeout(10_000));
    expect(refused.validationErrors).toHaveLength(1);
    const { keys } = await itemsOfBackup(object, engine.deps, AbortSignal.timeout(10_000));
    const names: string[] = [];
    for await (const { groupResource, name } of keys) names.push(`${groupResource}/${name}`);
    expect(names).toEqual([expect.stringMatching(/^configmaps\//), 'namespaces/c04']);
    const unknown = await itemsOfBackup(bad, engine.deps, AbortSignal.timeout(10_000));
    for await (const key of unknown.keys) expect(key).toBeUndefined();
    expect(unknown.problems()).toEqual(refused.validationErrors);
  });

  it('finds one whole, and names what is wrong with a damaged one', async () => {
    using folder = temporaryFolder();
    const { files } = await backUp('verify', { includedNamespaces: ['c03'] });
    const store = await storeOf(cluster);
    let run = 0;
    const verify = async () => {
      const spoolPath = join(folder.path, String((run += 1)));
      return await verifyBackup(store, 'verify', { spoolPath, signal: AbortSignal.timeout(10_000) });
    };
    const whole = await verify();
    expect(whole).toMatchObject({ ok: true, problems: [], sha256Expected: whole.sha256Found });
    expect(whole.entries).toBe(Number(valueAt(files.metadata(), 'status', 'progress', 'itemsBackedUp')));
    const bytes = await readFile(files.archivePath());
    await writeFile(files.archivePath(), bytes.subarray(0, bytes.length - 40));
    expect(await verify()).toMatchObject({ ok: false, problems: [expect.stringContaining('cut off')] });
    await writeFile(files.archivePath(), await readFile(new BackupFiles(cluster, 'c04-all').archivePath()));
    const other = await verify();
    expect(other.ok).toBe(false);
    expect(other.problems[0]).toMatch(/sha256 is \w+, but \w+ was recorded/);
    expect(other.problems).toContain('v1/Secret c03/s is in the resource list but not in the archive');
    store.close();
  });
});
