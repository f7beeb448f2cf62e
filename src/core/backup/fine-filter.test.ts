import { describe, expect, it } from 'vitest';
import { TYPES } from '../../../test/backup/sample-cluster.ts';
import type { BackupSpec } from '../../api/index.ts';
import { reasonNotSelected, reasonToLeaveOut } from './admit.ts';
import {
  groupResourceOf,
  parseResourcePolicies,
  problemsForRestore,
  type ResourcePolicies,
} from '../selection/index.ts';
import { planBackup, type BackupPlan } from './select.ts';

const NAMESPACES = ['default', 'shop', 'shop-eu', 'velero'];
const parsed = (document: object): ResourcePolicies => {
  const { policies, problems } = parseResourcePolicies({ version: 'v1', ...document });
  expect(problems).toEqual([]);
  return policies!;
};
const plan = (spec: BackupSpec, document: object): BackupPlan =>
  planBackup({ spec, types: TYPES, namespaces: NAMESPACES, filterPolicies: parsed(document) });
const typeOf = (groupResource: string) => TYPES.find((type) => groupResourceOf(type) === groupResource)!;
const listOf = ({ lists }: BackupPlan, groupResource: string) =>
  lists.find((list) => list.groupResource === groupResource);
const item = (namespace: string | undefined, name: string, labels: Record<string, string> = {}) => ({
  metadata: { name, labels, ...(namespace === undefined ? {} : { namespace }) },
});

const document = {
  namespacedFilterPolicies: [
    { namespaces: ['shop*'], resourceFilters: [{ kinds: ['secret'], labelSelector: { matchLabels: { a: 1 } } }] },
    {
      namespaces: ['shop'],
      resourceFilters: [
        { kinds: ['ConfigMap'], names: ['web-*'], excludedNames: ['*-old'] },
        { kinds: ['*'], orLabelSelectors: [{ matchLabels: { b: '1' } }, { matchLabels: { b: '2' } }] },
      ],
    },
  ],
  clusterScopedFilterPolicy: { resourceFilters: [{ kinds: ['pv'], names: ['kept-*'] }] },
};

describe('policies about single kinds', () => {
  const of = (groupResource: string, object: ReturnType<typeof item>, spec: BackupSpec = {}) => {
    const made = plan(spec, document);
    const type = typeOf(groupResource);
    return reasonToLeaveOut(made, type, object) ?? reasonNotSelected(made, type, object);
  };

  it.each<[string, string, ReturnType<typeof item>, string | undefined]>([
    ['elsewhere', 'configmaps', item('default', 'x'), undefined],
    ['named', 'configmaps', item('shop', 'web-1'), undefined],
    ['not named', 'configmaps', item('shop', 'db'), 'the resource policies do not name it'],
    ['named and excluded', 'configmaps', item('shop', 'web-old'), 'the resource policies do not name it'],
    ['of all other kinds', 'pods', item('shop', 'x', { b: '2' }), undefined],
    ['of all other kinds, labelled otherwise', 'pods', item('shop', 'x'), 'the resource policies want other labels'],
    ['by the exact name before a pattern', 'secrets', item('shop', 'x', { b: '1' }), undefined],
    ['by a pattern', 'secrets', item('shop-eu', 'x', { a: '1' }), undefined],
    [
      'of another kind where no filter is for it',
      'configmaps',
      item('shop-eu', 'x'),
      'the resource policies name its namespace and not its kind',
    ],
    ['of the cluster, named', 'persistentvolumes', item(undefined, 'kept-1'), undefined],
    ['of the cluster', 'persistentvolumes', item(undefined, 'x'), 'the resource policies do not name it'],
    ['of the cluster, of another kind', 'clusterroles.rbac.authorization.k8s.io', item(undefined, 'x'), undefined],
  ])('%s', (_, groupResource, object, expected) => {
    expect(of(groupResource, object)).toBe(expected);
  });

  it('take the place of the selectors of the spec, where they say something', () => {
    const spec = { labelSelector: { matchLabels: { c: '1' } } };
    expect(of('secrets', item('shop-eu', 'x', { a: '1' }), spec)).toBeUndefined();
    expect(of('secrets', item('default', 'x', { a: '1' }), spec)).toBe('no selector matches its labels');
    expect(of('persistentvolumes', item(undefined, 'kept-1'), spec)).toBeUndefined();
  });

  it('let in what others need, unless they speak of its name', () => {
    const made = plan({}, document);
    expect(reasonToLeaveOut(made, typeOf('persistentvolumeclaims'), item('shop-eu', 'x'))).toBeUndefined();
    expect(reasonToLeaveOut(made, typeOf('persistentvolumes'), item(undefined, 'x'))).toBe(
      'the resource policies do not name it',
    );
  });

  it('are asked of the server only where it can answer', () => {
    const spec = { includedNamespaces: ['shop-eu', 'velero'], labelSelector: { matchLabels: { c: '1' } } };
    const made = planBackup({
      ...{ spec, types: TYPES, namespaces: [...NAMESPACES, 'a', 'b'] },
      filterPolicies: parsed(document),
    });
    expect(listOf(made, 'secrets')).toMatchObject({ labelSelectors: [''], isSelectedHere: true });
    expect(listOf(made, 'configmaps')?.scope).toEqual({ kind: 'namespaces', namespaces: ['velero'] });
    const elsewhere = plan({ ...spec, includedNamespaces: ['velero'] }, document);
    expect(listOf(elsewhere, 'secrets')).toMatchObject({ labelSelectors: ['c=1'], isSelectedHere: false });
  });
});

describe('mistakes', () => {
  const one = { kinds: ['pods'] };
  const namespaced = (...resourceFilters: object[]) => ({
    namespacedFilterPolicies: [{ namespaces: ['a'], resourceFilters }],
  });
  const labelSelector = { matchLabels: { a: 'b' } };
  it.each<[string, object, RegExp]>([
    ['no namespace', { namespacedFilterPolicies: [{ resourceFilters: [one] }] }, /\.0: expected at least one name/],
    ['no filter', namespaced(), /expected at least one of resourceFilters/],
    ['a bad pattern', { namespacedFilterPolicies: [{ namespaces: ['a**'], resourceFilters: [one] }] }, /\*\*/],
    ['a kind twice', namespaced(one, one), /kind "pods" is named twice/],
    ['two for the others', namespaced({}, { kinds: ['*'] }), /only one filter/],
    ['names for the others', namespaced({ names: ['a'] }), /cannot choose by names/],
    ['two selectors', namespaced({ ...one, labelSelector, orLabelSelectors: [labelSelector] }), /together/],
    [
      'a bad selector',
      namespaced({ ...one, orLabelSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }] }),
      /Is/,
    ],
    ['an unknown field', namespaced({ ...one, name: 'a' }), /name/],
    ['the others of the cluster', { clusterScopedFilterPolicy: { resourceFilters: [{}] } }, /to name kinds/],
    ['nothing of the cluster', { clusterScopedFilterPolicy: {} }, /expected at least one/],
  ])('%s', (_, policies, expected) => {
    expect(parseResourcePolicies({ version: 'v1', ...policies }).problems).toEqual([expect.stringMatching(expected)]);
  });

  it('are named when one namespace stands in two policies', () => {
    const policy = { namespaces: ['a'], resourceFilters: [one] };
    const { problems } = parseResourcePolicies({ version: 'v1', namespacedFilterPolicies: [policy, policy] });
    expect(problems).toEqual(['namespacedFilterPolicies: namespace "a" is named twice']);
  });

  it('are what is not for restores', () => {
    expect(problemsForRestore(parsed(document))).toEqual([]);
    const volumePolicies = [{ conditions: {}, action: { type: 'skip' } }];
    expect(problemsForRestore(parsed({ volumePolicies, includeExcludePolicy: {} }))).toHaveLength(2);
  });
});
