import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../base/index.ts';
import { parseResourceModifiers, type ModifierDeps, type ResourceModifiers } from './resource-modifiers.ts';

const configMap = (text: string): JsonObject => ({ metadata: { name: 'm' }, data: { 'm.yaml': text } });
const deps: ModifierDeps = { parseYaml: (text) => parse(text) as unknown };
const rules = (yaml: string): string => `version: v1\nresourceModifierRules:\n${yaml}`;

function modifiers(yaml: string, more: Partial<ModifierDeps> = {}): ResourceModifiers {
  const parsed = parseResourceModifiers(configMap(rules(yaml)), { ...deps, ...more });
  expect(parsed.problems).toEqual([]);
  return parsed.modifiers!;
}
const problems = (text: string): string[] => parseResourceModifiers(configMap(text), deps).problems;

const claim = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'pvc-1', namespace: 'shop', labels: { tier: 'db' }, ...metadata },
  spec: { storageClassName: 'old', ...spec },
});
const PVCS = 'persistentvolumeclaims';

describe('conditions', () => {
  const rule = (conditions: string): ResourceModifiers =>
    modifiers(`- conditions: {${conditions}}
  patches: [{operation: replace, path: /spec/storageClassName, value: new}]`);
  it.each<[string, boolean]>([
    ['groupResource: persistentvolumeclaims', true],
    ['groupResource: "persistent*"', true],
    ['groupResource: pods', false],
    ['groupResource: "*.apps"', false],
    ['groupResource: "**"', true],
    ['groupResource: "{persistentvolumes,persistentvolumeclaim*}"', true],
    ['groupResource: "{pods,services}"', false],
    ['groupResource: "*", matches: [{path: /spec/storageClassName, value: 1}]', false],
    ['groupResource: "*", namespaces: [other, "sh*"]', true],
    ['groupResource: "*", namespaces: [other]', false],
    ['groupResource: "*", resourceNameRegex: "^pvc-[0-9]+$"', true],
    ['groupResource: "*", resourceNameRegex: "(?i)PVC"', true],
    ['groupResource: "*", resourceNameRegex: "^x"', false],
    ['groupResource: "*", labelSelector: {matchLabels: {tier: db}}', true],
    ['groupResource: "*", labelSelector: {matchExpressions: [{key: tier, operator: NotIn, values: [db]}]}', false],
    ['groupResource: "*", matches: [{path: /spec/storageClassName, value: old}]', true],
    [
      'groupResource: "*", matches: [{path: /spec/storageClassName, value: old}, {path: /spec/none, value: "1"}]',
      false,
    ],
    ['groupResource: "*", matches: [{path: /none/at/all, value: "1"}]', false],
    ['groupResource: "*", matches: [{path: /metadata/labels/tier, value: db}]', true],
  ])('%s: %s', (conditions, isFor) => {
    const { spec } = rule(conditions).apply(PVCS, claim()).item;
    expect(spec).toEqual({ storageClassName: isFor ? 'new' : 'old' });
  });

  it.each<[string, string, boolean]>([
    ['deployments.apps', '*', false],
    ['deployments.apps', '*.*', true],
    ['deployments.apps', '**', true],
    ['deployments.apps', '{deployments,statefulsets}.apps', true],
    ['ingresses.networking.k8s.io', '**.k8s.io', true],
    ['ingresses.networking.k8s.io', '*.k8s.io', false],
  ])('%s is meant by %s: %s', (groupResource, pattern, isFor) => {
    const { spec } = rule(`groupResource: "${pattern}"`).apply(groupResource, claim()).item;
    expect(spec).toEqual({ storageClassName: isFor ? 'new' : 'old' });
  });

  it('about namespaces say nothing of what is in none', () => {
    const { namespace: _, ...metadata } = claim().metadata as JsonObject;
    const changed = rule('groupResource: persistentvolumes, namespaces: [other]');
    const volume = { ...claim(), metadata };
    expect(changed.apply('persistentvolumes', volume).item.spec).toEqual({ storageClassName: 'new' });
  });

  it('are about the item as it was backed up, whatever the rules before made of it', () => {
    const changed = modifiers(`- conditions: {groupResource: ${PVCS}, labelSelector: {matchLabels: {tier: db}}}
  mergePatches: [{patchData: '{"metadata": {"labels": {"tier": "other"}}, "spec": {"storageClassName": "a"}}'}]
- conditions: {groupResource: ${PVCS}, matches: [{path: /spec/storageClassName, value: old}]}
  mergePatches: [{patchData: '{"spec": {"second": true}}'}]
- conditions: {groupResource: ${PVCS}, labelSelector: {matchLabels: {tier: other}}}
  mergePatches: [{patchData: '{"spec": {"third": true}}'}]`);
    expect(changed.apply(PVCS, claim()).item.spec).toEqual({ storageClassName: 'a', second: true });
  });
});

describe('JSON patches', () => {
  it.each<[string, unknown]>([
    ['text', 'text'],
    ['"2"', 2],
    ['\'"2"\'', '2'],
    ['"true"', true],
    ['"TRUE"', true],
    ['"null"', null],
    ['"1.5"', 1.5],
    ['"007"', 7],
    ['"9007199254740993"', 9007199254740993n],
    ['\'{"a": [1]}\'', { a: [1] }],
    ['""', ''],
    ['1Gi', '1Gi'],
    ['3', 3],
    ['true', true],
    ['null', ''],
  ])('value %s', (yaml, value) => {
    const changed = modifiers(`- conditions: {groupResource: ${PVCS}}
  patches: [{operation: add, path: /spec/x, value: ${yaml}}]`);
    expect(changed.apply(PVCS, claim()).item.spec).toEqual({ storageClassName: 'old', x: value });
  });

  it.each(['{operation: replace, path: /spec/none, value: x}', '{operation: copy, from: /spec/none, path: /spec/x}'])(
    '%s does not fit',
    (patch) => {
      const changed = modifiers(`- conditions: {groupResource: ${PVCS}}\n  patches: [${patch}]`);
      expect(changed.apply(PVCS, claim())).toEqual({
        item: claim(),
        problems: [expect.stringContaining('there is nothing at "/spec/none"')],
      });
    },
  );

  it('are not for an item whose test fails', () => {
    const changed = modifiers(`- conditions: {groupResource: ${PVCS}}
  patches:
  - {operation: test, path: /spec/storageClassName, value: other}
  - {operation: Remove, path: /spec/storageClassName}`);
    expect(changed.apply(PVCS, claim())).toEqual({ item: claim(), problems: [] });
  });

  it('follow one another, and every rule that does not fit is told', () => {
    const changed = modifiers(`- conditions: {groupResource: ${PVCS}}
  patches: [{operation: move, from: /spec/storageClassName, path: /spec/a}]
- conditions: {groupResource: ${PVCS}}
  patches: [{operation: copy, from: /spec/a, path: /spec/b}, {operation: remove, path: /spec/a}]`);
    expect(changed.apply(PVCS, claim()).item.spec).toEqual({ b: 'old' });
    const { storageClassName: _, ...bare } = claim().spec as JsonObject;
    expect(changed.apply(PVCS, { ...claim(), spec: bare }).problems).toEqual([
      expect.stringMatching(/does not fit: .*storageClassName/),
      expect.stringMatching(/does not fit: .*\/spec\/a/),
    ]);
  });
});

describe('merge patches', () => {
  const yaml = (kind: string): string => `- conditions: {groupResource: ${PVCS}}
  ${kind}:
  - patchData: |
      metadata: {labels: {tier: null, new: x}}
  - patchData: '{"spec": {"storageClassName": "new"}}'`;

  it('are applied in turn', () => {
    const changed = modifiers(yaml('mergePatches')).apply(PVCS, claim()).item;
    expect(changed).toEqual(claim({ storageClassName: 'new' }, { labels: { new: 'x' } }));
  });

  it('of the strategic sort go to who knows the types, and fail the item without one', () => {
    const patches: JsonObject[] = [];
    const strategicMerge = (item: JsonObject, patch: JsonObject): JsonObject => (patches.push(patch), item);
    expect(modifiers(yaml('strategicPatches'), { strategicMerge }).apply(PVCS, claim()).item).toEqual(claim());
    expect(patches).toHaveLength(2);
    expect(modifiers(yaml('strategicPatches')).apply(PVCS, claim()).problems).toEqual([
      expect.stringContaining('strategic patches cannot'),
    ]);
  });
});

describe('mistakes', () => {
  const good = 'conditions: {groupResource: pods}';
  const remove = '{operation: remove, path: /a}';
  const patches = `\n  patches: [${remove}]`;
  it.each<[string, string, RegExp]>([
    ['not YAML', '{', /cannot read YAML/],
    ['another version', `version: v2\nresourceModifierRules: [{${good}}]`, /version: expected v1/],
    ['no rules', 'version: v1\nresourceModifierRules: []', /resourceModifierRules: /],
    ['no type', rules('- conditions: {}'), /conditions.groupResource: /],
    ['an unknown field', rules(`- {${good}, patch: []}`), /patch/],
    ['an unknown operation', rules(`- {${good}, patches: [{operation: set, path: /a}]}`), /operation: /],
    ['a relative path', rules(`- {${good}, patches: [{operation: remove, path: a}]}`), /path "a"/],
    ['a relative match', rules(`- conditions: {groupResource: pods, matches: [{path: a}]}${patches}`), /path "a"/],
    ['nothing to do', rules(`- {${good}}`), /expected patches/],
    ['nothing to do in a list', rules(`- {${good}, patches: []}`), /expected patches/],
    ['a move from nowhere', rules(`- {${good}, patches: [{operation: move, path: /a}]}`), /move to "\/a"/],
    ['a broken value', rules(`- {${good}, patches: [{operation: add, path: /a, value: "{"}]}`), /value \{/],
    [
      'a broken expression',
      rules(`- conditions: {groupResource: pods, resourceNameRegex: "("}${patches}`),
      /resourceNameRegex: /,
    ],
    [
      'a broken selector',
      rules(
        `- conditions: {groupResource: pods, labelSelector: {matchExpressions: [{key: a, operator: Like}]}}${patches}`,
      ),
      /Like/,
    ],
    ['a list as a patch', rules(`- {${good}, mergePatches: [{patchData: "[]"}]}`), /patchData: expected an object/],
    [
      'two sorts of patches',
      rules(`- {${good}, patches: [${remove}], mergePatches: [{patchData: "{}"}]}`),
      /only one of/,
    ],
  ])('%s', (_, text, message) => {
    expect(problems(text)).toEqual([expect.stringMatching(message)]);
  });

  it('are all told at once', () => {
    expect(problems('version: v9\nresourceModifierRules: [{conditions: {}}, {}]')).toHaveLength(3);
  });

  it.each([0, 2])('a ConfigMap with %i keys', (count) => {
    const data = Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), '']));
    expect(parseResourceModifiers({ data }, deps).problems).toEqual([expect.stringMatching(/expected one key/)]);
  });
});

it('refuses a pattern of more alternatives than anybody can try', () => {
  const groupResource = '{a,b}'.repeat(40);
  const rules = [{ conditions: { groupResource }, patches: [{ operation: 'remove', path: '/a' }] }];
  const text = JSON.stringify({ version: 'v1', resourceModifierRules: rules });
  expect(problems(text)).toEqual([expect.stringContaining('has too many alternatives')]);
});
