import { describe, expect, it } from 'vitest';
import { kindsOf, namespaceOf, nounOf, operationKinds, placeText, withParts } from './kinds.ts';

const kindNames = (kinds: readonly { type: { kind: string } }[]): string[] => kinds.map(({ type }) => type.kind);

describe('words for kinds', () => {
  it.each([
    ['backup', ['Backup']],
    ['backups.velero.io', ['Backup']],
    ['Actions', ['ActionSet']],
    ['actionsets.cr.kanister.io', ['ActionSet']],
    ['DirectVolumeMigrationProgresses', ['DirectVolumeMigrationProgress']],
    ['migration', ['MigMigration', 'DirectVolumeMigration', 'DirectImageMigration']],
    ['pod', []],
    ['', []],
    ['schedule', []],
  ])('%s', (word, kinds) => {
    expect(kindNames(operationKinds(word))).toEqual(kinds);
  });

  it('are found from the kind, also of kinds that are no operations', () => {
    expect(['DataUpload', 'MigMigration', 'Schedule', 'Pod'].map(nounOf)).toEqual([
      'volume',
      'migration',
      'schedule',
      'pod',
    ]);
  });
});

it('knows all that can be below a migration, and nothing more', () => {
  expect(kindNames(withParts(operationKinds('migration')))).not.toContain('ActionSet');
  expect(kindNames(withParts(operationKinds('backup')))).toEqual([
    'Backup',
    'VolumePluginBackup',
    'PodVolumeBackup',
    'DataUpload',
  ]);
  expect(kindNames(withParts(operationKinds('action')))).toEqual(['ActionSet']);
});

describe('where a kind is looked for', () => {
  const usual = { namespace: 'velero' };
  it.each([
    ['backup', usual, 'velero', 'in namespace velero'],
    ['migration', usual, 'openshift-migration', 'in namespace openshift-migration'],
    ['action', usual, undefined, 'in any namespace'],
    ['action', { namespace: 'shop', isOnly: true as const }, 'shop', 'in namespace shop'],
    ['migration', { namespace: 'shop', isOnly: true as const }, 'shop', 'in namespace shop'],
    ['backup', { namespace: 'velero', allNamespaces: true as const }, undefined, 'in any namespace'],
    ['volume', usual, 'velero', 'in namespaces velero and openshift-migration'],
  ])('%s in %o', (noun, place, namespace, text) => {
    const kinds = kindsOf(noun);
    expect(namespaceOf(place, kinds[0]!)).toBe(namespace);
    expect(placeText(place, kinds)).toBe(text);
  });
});
