import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BackupSpec } from '../../api/index.ts';
import { VELERO_DEFAULTS, expirationOf, withDefaults } from './defaults.ts';
import { resolveSnapshotLocations } from './snapshot-locations.ts';
import { validateBackup, type ValidationFacts } from './validate.ts';
import { parseResourcePolicies } from '../selection/index.ts';

const location = { name: 'default', isReadOnly: false, isAvailable: true };
const complete = (spec: BackupSpec, labelledNamespaces: string[] = []) =>
  withDefaults(spec, { labelledNamespaces }, VELERO_DEFAULTS);
const problems = (spec: BackupSpec, facts: ValidationFacts = { location }) => validateBackup(complete(spec), facts);

describe('validateBackup', () => {
  it.each<[string, BackupSpec, string[]]>([
    ['nothing said', {}, []],
    ['patterns', { includedNamespaces: ['shop-*', 'ns[12]', 'a?'], excludedNamespaces: ['shop-eu'] }, []],
    ['no namespace at all', { includedNamespaces: [''] }, []],
    [
      'old and new filters',
      { includedResources: ['pods'], includedClusterScopedResources: ['pv'] },
      ['they cannot be used together'],
    ],
    ['* with others', { includedNamespaces: ['*', 'a'] }, ["includes with '*' must have nothing else"]],
    ['* left out', { excludedNamespaces: ['*'] }, ["excludes cannot have '*'", '"*" is both included and excluded']],
    ['in and out', { includedNamespaces: ['a'], excludedNamespaces: ['a'] }, ['"a" is both included and excluded']],
    ['a bad pattern', { includedNamespaces: ['a**', '{a}'] }, ['single *', 'no pattern may have']],
    ['no name', { includedNamespaces: ['Shop', 'a'.repeat(64)] }, ['cannot be the name', 'cannot be the name']],
    ['resources, all out', { excludedResources: ['*'] }, ["excludes cannot have '*'"]],
    [
      'new, all out, some in',
      { includedNamespaceScopedResources: ['cm'], excludedNamespaceScopedResources: ['*'] },
      ["with '*' in excludes nothing"],
    ],
    ['new, all out', { excludedClusterScopedResources: ['*'], excludedNamespaceScopedResources: ['*'] }, []],
    ['both selectors', { labelSelector: {}, orLabelSelectors: [{}] }, ['labelSelector and orLabelSelectors']],
    [
      'a bad selector',
      { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      ['has "Like", expected In'],
    ],
    [
      'a bad hook',
      { hooks: { resources: [{ name: 'h', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }] } },
      ['hook "h": the selector of label "a" has In without values'],
    ],
    [
      'a policy of another kind',
      { resourcePolicy: { kind: 'Secret', name: 'x' } },
      ['expected a reference to a ConfigMap, got Secret'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(problems(spec)).toEqual(expected.map((text) => expect.stringContaining(text) as string));
  });

  it.each<[string, ValidationFacts, string]>([
    ['missing', {}, '"default" does not exist'],
    ['read-only', { location: { ...location, isReadOnly: true } }, 'is read-only'],
    ['away', { location: { ...location, isAvailable: false } }, 'is not available'],
  ])('names a location that is %s', (_, facts, expected) => {
    expect(problems({}, facts)).toEqual([expect.stringContaining(expected)]);
  });

  it('passes on what is wrong with policies and snapshot locations', () => {
    const policies = parseResourcePolicies({ version: 'v2' });
    const facts = { location, policies, snapshotLocationProblems: ['no such location'] };
    expect(problems({}, facts)).toEqual(['no such location', 'invalid resource policies: version: expected v1']);
    const filter = parseResourcePolicies({
      version: 'v1',
      includeExcludePolicy: { excludedClusterScopedResources: ['pv'] },
    });
    expect(problems({ includedResources: ['cm'] }, { location, policies: filter })).toEqual([
      expect.stringContaining('cannot be used with the filters of resource policies'),
    ]);
  });

  it('finds as many problems at once as Velero does', async () => {
    const file = new URL('../../../test/fixtures/velero/compat-10-bad-input.json', import.meta.url);
    const { both } = JSON.parse(await readFile(file, 'utf8')) as { both: { problems: number } };
    const labels = { matchLabels: { a: 'b' } };
    const spec = {
      includedNamespaces: ['c10'],
      excludedNamespaces: ['c10'],
      includedResources: ['pods'],
      includedClusterScopedResources: ['nodes'],
      labelSelector: labels,
      orLabelSelectors: [labels],
    };
    expect(problems(spec)).toHaveLength(both.problems);
  });
});

describe('withDefaults', () => {
  it('fills in what the recorded Backup got', () => {
    expect(complete({ includedNamespaces: ['shop'] })).toEqual({
      includedNamespaces: ['shop'],
      excludedClusterScopedResources: ['volumesnapshotcontents.snapshot.storage.k8s.io'],
      excludedNamespaceScopedResources: ['volumesnapshots.snapshot.storage.k8s.io'],
      ttl: '720h0m0s',
      volumeGroupSnapshotLabelKey: 'velero.io/volume-group',
      storageLocation: 'default',
      defaultVolumesToFsBackup: false,
      csiSnapshotTimeout: '10m0s',
      itemOperationTimeout: '4h0m0s',
      snapshotMoveData: false,
    });
  });

  it.each<[BackupSpec, Partial<BackupSpec>]>([
    [{}, { includedNamespaces: ['*'] }],
    [{ ttl: '0s' }, { ttl: '720h0m0s' }],
    [{ ttl: '1h' }, { ttl: '1h' }],
    [{ defaultVolumesToRestic: true }, { defaultVolumesToFsBackup: true }],
    [{ storageLocation: 'far' }, { storageLocation: 'far' }],
    [{ includedResources: ['cm', 'volumesnapshots.snapshot.storage.k8s.io'] }, { includedResources: ['cm'] }],
    [{ excludedClusterScopedResources: ['*'] }, { excludedClusterScopedResources: ['*'] }],
  ])('%o', (spec, expected) => {
    expect(complete(spec)).toMatchObject(expected);
  });

  it('leaves labelled namespaces out, and takes the location that is marked', () => {
    const facts = { labelledNamespaces: ['tmp'], defaultLocation: 'main' };
    expect(withDefaults({ excludedNamespaces: ['a'] }, facts, VELERO_DEFAULTS)).toMatchObject({
      excludedNamespaces: ['a', 'tmp'],
      storageLocation: 'main',
    });
  });

  it('changes nothing the second time, and makes nothing invalid', () => {
    const names = fc.subarray(['*', 'cm', 'pv', 'volumesnapshots.snapshot.storage.k8s.io']);
    const spec = fc.record(
      {
        includedNamespaces: fc.subarray(['a', 'b']),
        ttl: fc.constantFrom('0', '1h'),
        includedResources: names,
        excludedResources: names,
        includedClusterScopedResources: names,
        excludedClusterScopedResources: names,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, (given) => {
        const once = complete(given, ['tmp']);
        expect(complete(once, ['tmp'])).toEqual(once);
        const isGood = validateBackup(given, { location }).length === 0;
        if (isGood) expect(validateBackup(once, { location })).toEqual([]);
      }),
    );
  });
});

it('expires after its time to live, in whole seconds', () => {
  const now = Date.parse('2026-11-15T19:28:04.700Z');
  expect(expirationOf(now, {}, VELERO_DEFAULTS)).toBe('2026-12-15T19:28:04Z');
  expect(expirationOf(now, { ttl: '90m' }, VELERO_DEFAULTS)).toBe('2026-11-15T20:58:04Z');
});

describe('resolveSnapshotLocations', () => {
  const aws = { name: 'aws-1', provider: 'aws' };
  const aws2 = { name: 'aws-2', provider: 'aws' };
  const gcp = { name: 'gcp-1', provider: 'gcp' };
  it.each<[string, BackupSpec, (typeof aws)[], string[]]>([
    ['none there', {}, [], []],
    ['the only one', {}, [aws, gcp], ['aws-1', 'gcp-1']],
    ['the named one', { volumeSnapshotLocations: ['aws-2'] }, [aws, aws2, gcp], ['aws-2', 'gcp-1']],
    ['the only one, also without snapshots', { snapshotVolumes: false }, [aws], ['aws-1']],
  ])('%s', (_, spec, existing, names) => {
    expect(resolveSnapshotLocations(spec, existing, {})).toEqual({ names, problems: [] });
  });

  it('the default one of several', () => {
    expect(resolveSnapshotLocations({}, [aws, aws2], { aws: 'aws-2' }).names).toEqual(['aws-2']);
  });

  it.each<[string, BackupSpec, (typeof aws)[], string]>([
    ['several and none named', {}, [aws, aws2], 'has several volume snapshot locations'],
    ['several, also without snapshots', { snapshotVolumes: false }, [aws, aws2], 'has several volume snapshot'],
    ['two named', { volumeSnapshotLocations: ['aws-1', 'aws-2'] }, [aws, aws2], 'aws: aws-1 and aws-2'],
    ['one that is not there', { volumeSnapshotLocations: ['x'] }, [aws], '"x" does not exist'],
  ])('is a problem: %s', (_, spec, existing, problem) => {
    const resolved = resolveSnapshotLocations(spec, existing, {});
    expect(resolved).toEqual({ names: [], problems: [expect.stringContaining(problem)] });
  });
});
