import { describe, expect, it } from 'vitest';
import { KINDS } from '../../api/index.ts';
import { ADAPTERS, adapterFor, adaptersOf, findAdapter, hasVerb, NOUNS } from './index.ts';

const each = ADAPTERS.map((adapter) => [adapter.type.kind, adapter] as const);

describe('the kinds that are operations', () => {
  it('are all those that report progress, each once', () => {
    const reporting = KINDS.filter((kind) => kind.structural().properties?.['status']?.properties?.['progress']);
    expect(ADAPTERS.map(({ type }) => type.kind).toSorted()).toEqual(reporting.map(({ kind }) => kind).toSorted());
  });

  it('have one of five nouns, the most usual kind of each first', () => {
    expect(NOUNS.map((noun) => adaptersOf(noun).map(({ type }) => type.kind))).toEqual([
      ['Backup'],
      ['Restore'],
      [
        'VolumePluginBackup',
        'VolumePluginRestore',
        'PodVolumeBackup',
        'PodVolumeRestore',
        'DataUpload',
        'DataDownload',
        'DirectVolumeMigrationProgress',
      ],
      ['ActionSet'],
      ['MigMigration', 'DirectVolumeMigration', 'DirectImageMigration'],
    ]);
  });

  it('are found by kind in any case, and others are not', () => {
    expect(adapterFor('actionset')).toBe(findAdapter('ActionSet'));
    expect(findAdapter('constructor')).toBeUndefined();
    expect(() => adapterFor('pod')).toThrow(/Backup, Restore, VolumePluginBackup/);
  });

  it.each(each)('%s can be canceled if and only if it says how', (_, adapter) => {
    expect(hasVerb(adapter, 'cancel')).toBe(adapter.cancel !== undefined);
    expect(hasVerb(adapter, 'delete')).toBe(true);
    // Of an action set, what its pods print.
    expect(hasVerb(adapter, 'logs')).toBe(adapter.files !== undefined || adapter.type.kind === 'ActionSet');
    if (adapter.stages !== undefined) expect(adapter.stages.usual).toContain(adapter.stages.working);
  });

  it.each(each)('%s has sentences for people', (_, adapter) => {
    expect(adapter.did).toMatch(/^[A-Z][a-z ]+$/);
    for (const text of [adapter.afterCancel, adapter.deletion.consequence]) expect(text).toMatch(/^[a-z].*[^.]$/);
  });
});

describe('the wish to cancel', () => {
  const annotated = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
  it.each([
    ['Backup', annotated],
    ['Restore', annotated],
    ['VolumePluginBackup', annotated],
    ['VolumePluginRestore', annotated],
    ['ActionSet', annotated],
    ['DirectVolumeMigration', annotated],
    ['DirectImageMigration', annotated],
    // Velero's own movers know only their field.
    ['PodVolumeBackup', { ...annotated, spec: { cancel: true } }],
    ['PodVolumeRestore', { ...annotated, spec: { cancel: true } }],
    ['DataUpload', { ...annotated, spec: { cancel: true } }],
    ['DataDownload', { ...annotated, spec: { cancel: true } }],
    ['MigMigration', { spec: { canceled: true } }],
  ])('of a %s is written as its kind has it, and read back', (kind, patch) => {
    const { cancel } = adapterFor(kind);
    expect(cancel?.patch).toEqual(patch);
    const object = { apiVersion: '', kind, metadata: { name: 'x', ...patch }, ...patch } as never;
    expect(cancel?.isAsked(object)).toBe(true);
    expect(cancel?.isAsked({ apiVersion: '', kind, metadata: { name: 'x' } })).toBe(false);
  });
});

it.each(each)('%s names the kinds of which it may be a part', (_, adapter) => {
  const { partOf = [] } = adapter;
  expect(partOf.length > 0).toBe(adapter.parent !== undefined);
  const labels = { 'velero.io/backup-name': 'b', 'velero.io/restore-name': 'r', migmigration: 'uid-1' };
  const ownerReferences = NOUNS.flatMap(adaptersOf).map(({ type }) => ({ kind: type.kind, uid: `uid-${type.kind}` }));
  for (const metadata of [{ labels }, { ownerReferences }, { labels, ownerReferences }]) {
    const ref = adapter.parent?.({ apiVersion: '', kind: '', metadata: { name: 'x', ...metadata } });
    if (ref !== undefined) expect(partOf).toContain(ref.kind);
  }
});

it('a volume that is restored tells what it was', () => {
  const factsOf = (annotations: Record<string, string>) =>
    adapterFor('VolumePluginRestore').adapt({ apiVersion: '', kind: '', metadata: { name: 'x', annotations } }, {})
      .facts;
  const [claim, bytes, at] = ['claim', 'bytes', 'at'].map((what) => `headway.io/backed-up-${what}`);
  const said = { [claim!]: 'shop/data', [bytes!]: '5347738', [at!]: '2026-01-31T12:00:09Z' };
  expect(factsOf(said)?.backedUp).toEqual({ claim: 'shop/data', bytes: 5_347_738, at: '2026-01-31T12:00:09Z' });
  expect(factsOf({ ...said, [bytes!]: 'many', [at!]: 'then' })?.backedUp).toEqual({ claim: 'shop/data' });
  expect(factsOf({})).not.toHaveProperty('backedUp');
});
