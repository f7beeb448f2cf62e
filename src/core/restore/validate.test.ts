import { describe, expect, it } from 'vitest';
import type { Restore } from '../../api/index.ts';
import { newestCompleted, validateRestore, type RestoreFacts } from './index.ts';
import { NEVER_RESTORED } from './filters.ts';

type Spec = Restore['spec'];
type Facts = NonNullable<RestoreFacts['backup']>;
const backup = (
  name: string,
  phase: NonNullable<Facts['status']['phase']> = 'Completed',
  startTimestamp?: string,
  labels = {},
): Facts => ({
  metadata: { name, labels },
  status: { phase, ...(startTimestamp === undefined ? {} : { startTimestamp }) },
});
const GOOD: RestoreFacts = { backup: backup('b'), modifierProblems: [] };
const errors = (spec: Spec, facts = GOOD): string[] => validateRestore({ backupName: 'b', ...spec }, facts).errors;

describe('defaults', () => {
  it('are written back: what is never restored, the timeout, the schedule', () => {
    const given = { backupName: 'b', excludedResources: ['secrets', 'events'] };
    const { spec, errors: none } = validateRestore(given, {
      backup: backup('b', 'Completed', undefined, { 'velero.io/schedule-name': 's' }),
    });
    expect(none).toEqual([]);
    expect(spec).toEqual({
      backupName: 'b',
      scheduleName: 's',
      excludedResources: ['secrets', 'events', ...NEVER_RESTORED.filter((name) => name !== 'events')],
      itemOperationTimeout: '4h0m0s',
    });
    expect(validateRestore(spec, GOOD).spec.excludedResources).toEqual(spec.excludedResources);
  });

  it('leave what was given', () => {
    expect(validateRestore({ backupName: 'b', itemOperationTimeout: '1h' }, GOOD).spec.itemOperationTimeout).toBe('1h');
    const zero = { backupName: 'b', itemOperationTimeout: '0s' };
    expect(validateRestore(zero, GOOD).spec.itemOperationTimeout).toBe('4h0m0s');
  });
});

describe('a schedule', () => {
  const backups = [
    backup('old', 'Completed', '2026-01-01T00:00:00Z'),
    backup('newest', 'Completed', '2026-01-03T00:00:00+01:00'),
    backup('newer', 'PartiallyFailed', '2026-01-04T00:00:00Z'),
    backup('unknown', 'Completed'),
  ];
  it('means its newest completed backup', () => {
    expect(newestCompleted(backups)?.metadata.name).toBe('newest');
    const { spec, errors: none } = validateRestore({ scheduleName: 's' }, { backupsOfSchedule: backups });
    expect(none).toEqual([]);
    expect(spec).toMatchObject({ scheduleName: 's', backupName: 'newest' });
  });

  it.each<[RegExp, RestoreFacts]>([
    [/^No backups found for schedule s;No completed/, { backupsOfSchedule: [] }],
    [/^No completed backups found for schedule s$/, { backupsOfSchedule: [backup('x', 'Failed')] }],
  ])('%s', (message, facts) => {
    expect(validateRestore({ scheduleName: 's' }, facts).errors.join(';')).toMatch(message);
  });
});

describe('problems', () => {
  it.each<[string, Spec, RegExp]>([
    ['neither source', { backupName: '' }, /Either a backup or schedule/],
    ['both sources', { scheduleName: 's' }, /Either a backup or schedule/],
    [
      'overlapping types',
      { includedResources: ['a', 'b'], excludedResources: ['a'] },
      /resource lists: .*includes list: a$/,
    ],
    ['a star among others', { includedNamespaces: ['*', 'a'] }, /namespace lists: includes list must either/],
    ['a star to exclude', { excludedNamespaces: ['*'] }, /namespace lists: excludes list cannot contain '\*'/],
    ['a bad glob', { includedNamespaces: ['a**'] }, /namespace lists: .*a\*\*/],
    ['a bad mapping', { namespaceMapping: { a: '' } }, /namespace mapping "a:"/],
    ['a mapping to no name', { namespaceMapping: { a: 'Shop New' } }, /"Shop New" cannot be the name of a namespace/],
    ['a mapping to a wrong name', { namespaceMapping: { a: 'shop_new' } }, /"shop_new" cannot be the name/],
    [
      'two sorts of selectors',
      { labelSelector: { matchLabels: { a: 'b' } }, orLabelSelectors: [{ matchLabels: { a: 'b' } }] },
      /labelSelector as well as orLabelSelectors/,
    ],
    ['a bad selector', { orLabelSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Like' }] }] }, /"Like"/],
    ['an unknown policy', { existingResourcePolicy: 'replace' }, /"replace": expected none or update/],
    ['modifiers elsewhere', { resourceModifier: { kind: 'Secret', name: 'm' } }, /expected a ConfigMap/],
    [
      'a hook without an image',
      { hooks: { resources: [{ name: 'h', postHooks: [{ init: { initContainers: [{ name: 'x' }] } }] }] } },
      /Restore hook h: /,
    ],
  ])('%s', (_, spec, message) => {
    expect(errors(spec)).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, RestoreFacts, RegExp]>([
    ['a backup that is not there', {}, /there is no backup b/],
    ['a backup that is not whole', { backup: backup('b', 'InProgress') }, /is InProgress, expected Completed or/],
  ])('%s', (_, facts, message) => {
    expect(errors({}, facts)).toEqual([expect.stringMatching(message)]);
  });

  it('of resource modifiers', () => {
    const spec = { resourceModifier: { kind: 'ConfigMap', name: 'm' } };
    expect(errors(spec)).toEqual([]);
    expect(errors(spec, { backup: backup('b') })).toEqual(['Resource modifiers configmap m is not found']);
    expect(errors(spec, { ...GOOD, modifierProblems: ['x', 'y'] })).toHaveLength(2);
    const policy = { backupName: 'b', resourcePolicy: { kind: 'configmap', name: 'p' } };
    expect(errors(policy)).toEqual([]);
    expect(errors(policy, { ...GOOD, policyProblems: ['x', 'y'] })).toHaveLength(2);
    expect(errors({ ...policy, resourcePolicy: { kind: 'Secret', name: 'p' } })).toHaveLength(1);
  });

  it('are all told at once, as many as Velero 1.18.3 was recorded to tell', () => {
    const spec = {
      backupName: 'c10-ok',
      scheduleName: 'x',
      includedResources: ['nodes'],
      includedNamespaces: ['a'],
      excludedNamespaces: ['a'],
    };
    expect(validateRestore(spec, GOOD).errors).toEqual([
      'nodes are non-restorable resources',
      'Invalid included/excluded resource lists: excludes list cannot contain an item in the includes list: nodes',
      'Invalid included/excluded namespace lists: excludes list cannot contain an item in the includes list: a',
      'Either a backup or schedule must be specified as a source for the restore, but not both',
    ]);
  });
});
