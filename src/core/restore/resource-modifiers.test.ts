import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { finish } from '../../../test/finish.ts';
import { messageOf, type JsonObject } from '../../base/index.ts';
import type { ReadYaml } from './modifier-rule.ts';
import {
  parseResourceModifiers,
  type Modified,
  type ModifierDeps,
  type ParsedModifiers,
} from './resource-modifiers.ts';

const configMap = (text: string): JsonObject => ({ metadata: { name: 'm' }, data: { 'm.yaml': text } });
const deps: ModifierDeps = {
  readYaml: (texts) => Promise.resolve(texts.map(readOne)),
  inSlices: (steps) => Promise.resolve(finish(steps)),
};
const rules = (yaml: string): string => `version: v1\nresourceModifierRules:\n${yaml}`;

function readOne(text: string): ReadYaml {
  try {
    return { value: parse(text) as unknown };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Applies all of the rules to an item. */
type Apply = (groupResource: string, item: JsonObject) => Modified;

async function modifiers(yaml: string, more: Partial<ModifierDeps> = {}): Promise<Apply> {
  const parsed = await parseResourceModifiers(configMap(rules(yaml)), { ...deps, ...more });
  expect(parsed.problems).toEqual([]);
  return (groupResource, item) => finish(parsed.modifiers!.apply(groupResource, item));
}
const problems = async (text: string): Promise<string[]> =>
  (await parseResourceModifiers(configMap(text), deps)).problems;

const claim = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'pvc-1', namespace: 'shop', labels: { tier: 'db' }, ...metadata },
  spec: { storageClassName: 'old', ...spec },
});
const PVCS = 'persistentvolumeclaims';

describe('conditions', () => {
  const rule = (conditions: string): Promise<Apply> =>
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
  ])('%s: %s', async (conditions, isFor) => {
    const { spec } = (await rule(conditions))(PVCS, claim()).item;
    expect(spec).toEqual({ storageClassName: isFor ? 'new' : 'old' });
  });

  it.each<[string, string, boolean]>([
    ['deployments.apps', '*', false],
    ['deployments.apps', '*.*', true],
    ['deployments.apps', '**', true],
    ['deployments.apps', '{deployments,statefulsets}.apps', true],
    ['ingresses.networking.k8s.io', '**.k8s.io', true],
    ['ingresses.networking.k8s.io', '*.k8s.io', false],
    ['ingresses.networking.k8s.io', '*.**', true],
    ['deployments.apps', 'deployment[a-z].app?', true],
    ['deployments.apps', 'deployment[rs].apps', true],
    ['deployments.apps', 'deployment[!s].apps', false],
    ['deployments.apps', 'deployments?apps', false],
    ['pods', '{pods,{services,secret{,s}}}', true],
    ['secrets', '{pods,{services,secret{,s}}}', true],
    ['pods', 'pods,services', false],
    ['pods', '{pods', false],
    ['{pods', '{pods', true],
    ['pods}', 'pods}', true],
    ['[pods', '[pods', true],
    ['p*ds', 'p\\\\*ds', true],
    ['pods', 'p\\\\*ds', false],
  ])('%s is meant by %s: %s', async (groupResource, pattern, isFor) => {
    const { spec } = (await rule(`groupResource: "${pattern}"`))(groupResource, claim()).item;
    expect(spec).toEqual({ storageClassName: isFor ? 'new' : 'old' });
  });

  it('about namespaces say nothing of what is in none', async () => {
    const { namespace: _, ...metadata } = claim().metadata as JsonObject;
    const changed = await rule('groupResource: persistentvolumes, namespaces: [other]');
    const volume = { ...claim(), metadata };
    expect(changed('persistentvolumes', volume).item.spec).toEqual({ storageClassName: 'new' });
  });

  it('are about the item as it was backed up, whatever the rules before made of it', async () => {
    const changed = await modifiers(`- conditions: {groupResource: ${PVCS}, labelSelector: {matchLabels: {tier: db}}}
  mergePatches: [{patchData: '{"metadata": {"labels": {"tier": "other"}}, "spec": {"storageClassName": "a"}}'}]
- conditions: {groupResource: ${PVCS}, matches: [{path: /spec/storageClassName, value: old}]}
  mergePatches: [{patchData: '{"spec": {"second": true}}'}]
- conditions: {groupResource: ${PVCS}, labelSelector: {matchLabels: {tier: other}}}
  mergePatches: [{patchData: '{"spec": {"third": true}}'}]`);
    expect(changed(PVCS, claim()).item.spec).toEqual({ storageClassName: 'a', second: true });
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
  ])('value %s', async (yaml, value) => {
    const changed = await modifiers(`- conditions: {groupResource: ${PVCS}}
  patches: [{operation: add, path: /spec/x, value: ${yaml}}]`);
    expect(changed(PVCS, claim()).item.spec).toEqual({ storageClassName: 'old', x: value });
  });

  it.each(['{operation: replace, path: /spec/none, value: x}', '{operation: copy, from: /spec/none, path: /spec/x}'])(
    '%s does not fit',
    async (patch) => {
      const changed = await modifiers(`- conditions: {groupResource: ${PVCS}}\n  patches: [${patch}]`);
      expect(changed(PVCS, claim())).toEqual({
        item: claim(),
        problems: [expect.stringContaining('there is nothing at "/spec/none"')],
      });
    },
  );

  it('are not for an item whose test fails', async () => {
    const changed = await modifiers(`- conditions: {groupResource: ${PVCS}}
  patches:
  - {operation: test, path: /spec/storageClassName, value: other}
  - {operation: Remove, path: /spec/storageClassName}`);
    expect(changed(PVCS, claim())).toEqual({ item: claim(), problems: [] });
  });

  it('follow one another, and every rule that does not fit is told', async () => {
    const changed = await modifiers(`- conditions: {groupResource: ${PVCS}}
  patches: [{operation: move, from: /spec/storageClassName, path: /spec/a}]
- conditions: {groupResource: ${PVCS}}
  patches: [{operation: copy, from: /spec/a, path: /spec/b}, {operation: remove, path: /spec/a}]`);
    expect(changed(PVCS, claim()).item.spec).toEqual({ b: 'old' });
    const { storageClassName: _, ...bare } = claim().spec as JsonObject;
    expect(changed(PVCS, { ...claim(), spec: bare }).problems).toEqual([
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

  it('are applied in turn', async () => {
    const changed = (await modifiers(yaml('mergePatches')))(PVCS, claim()).item;
    expect(changed).toEqual(claim({ storageClassName: 'new' }, { labels: { new: 'x' } }));
  });

  it('of the strategic sort go to who knows the types, and fail the item without one', async () => {
    const patches: JsonObject[] = [];
    const strategicMerge = (item: JsonObject, patch: JsonObject): JsonObject => (patches.push(patch), item);
    expect((await modifiers(yaml('strategicPatches'), { strategicMerge }))(PVCS, claim()).item).toEqual(claim());
    expect(patches).toHaveLength(2);
    expect((await modifiers(yaml('strategicPatches')))(PVCS, claim()).problems).toEqual([
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
  ])('%s', async (_, text, message) => {
    expect(await problems(text)).toEqual([expect.stringMatching(message)]);
  });

  it('are all told at once', async () => {
    expect(await problems('version: v9\nresourceModifierRules: [{conditions: {}}, {}]')).toHaveLength(3);
  });

  it.each([0, 2])('a ConfigMap with %i keys', async (count) => {
    const data = Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), '']));
    expect((await parseResourceModifiers({ data }, deps)).problems).toEqual([
      expect.stringMatching(/expected one key/),
    ]);
  });
});

describe('hostile rules', () => {
  const pods = { conditions: { groupResource: 'pods' } };
  const claims = { conditions: { groupResource: PVCS } };
  const operation = (op: string, path: string, more: JsonObject = {}): JsonObject => ({ operation: op, path, ...more });
  const remove = { patches: [operation('remove', '/spec/none')] };

  /** JSON is YAML, and is parsed much faster. */
  function parseAll(resourceModifierRules: readonly object[]): Promise<ParsedModifiers> {
    const readYaml: ModifierDeps['readYaml'] = (texts) =>
      Promise.resolve(texts.map((text) => ({ value: JSON.parse(text) as unknown })));
    const text = JSON.stringify({ version: 'v1', resourceModifierRules });
    return parseResourceModifiers(configMap(text), { ...deps, readYaml });
  }
  async function applyAll(given: readonly object[], item: JsonObject): Promise<Modified> {
    const parsed = await parseAll(given);
    expect(parsed.problems).toEqual([]);
    return finish(parsed.modifiers!.apply(PVCS, item));
  }
  const many = (length: number, rule: (index: number) => object): object[] =>
    Array.from({ length }, (_, index) => rule(index));

  it.each([
    ['^(a*)*\\1b$', 'invalid escape sequence: `\\1`'],
    ['((((a{1,100}){1,100}){1,100}){1,100})b', 'invalid repeat count'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['('.repeat(1100) + ')'.repeat(1100), 'expression nests too deeply'],
    ['(?:a?){1000}'.repeat(10), 'expression too large'],
  ])('have a pattern that Go refuses: %s', async (resourceNameRegex, why) => {
    const rule = { conditions: { groupResource: 'pods', resourceNameRegex }, ...remove };
    expect((await parseAll([rule])).problems).toEqual([
      `resourceModifierRules.0: resourceNameRegex: error parsing regexp: ${why}`,
    ]);
  });

  it('have patterns that are too large only together', async () => {
    const regex = (index: number): string => `x${index}(?:a?b?){900}`;
    const given = many(30, (index) => ({
      conditions: { groupResource: 'pods', resourceNameRegex: regex(index) },
      ...remove,
    }));
    expect((await parseAll(given)).problems.at(-1)).toBe(
      'resourceModifierRules.29: resourceNameRegex: the patterns of all rules together are too large',
    );
  });

  it('have alternatives that nobody could try one by one', async () => {
    const changed = await modifiers(`- conditions: {groupResource: "${'{a,b}'.repeat(40)}"}
  mergePatches: [{patchData: '{"spec": null}'}]`);
    expect(changed('ab'.repeat(20), claim()).item).not.toHaveProperty('spec');
    expect(changed('ab'.repeat(19), claim()).item).toHaveProperty('spec');
  });

  it('double an item until it is too large', async () => {
    const rule = { ...claims, patches: Array(10).fill(operation('copy', '/spec/x', { from: '/spec' })) };
    const changed = await applyAll(Array<object>(30).fill(rule), claim({ text: 'x'.repeat(10_000) }));
    expect(JSON.stringify(changed.item).length).toBeLessThan(4 * 1024 * 1024);
    expect(changed.problems.join()).toMatch(/accumulated size increase of copy is over/);
  });

  it('do not fit one item by the thousand', async () => {
    const changed = await applyAll(Array<object>(3000).fill({ ...claims, ...remove }), claim());
    expect(changed.item).toEqual(claim());
    expect([changed.problems.length, changed.problems.at(-1)]).toEqual([21, '2980 more resource modifiers do not fit']);
  });

  it.each<[string, object[], RegExp]>([
    ['too many', Array<object>(10_001).fill({ ...pods, ...remove }), /resourceModifierRules: /],
    ['mistakes by the thousand', Array<object>(9000).fill({ conditions: {} }), /conditions.groupResource: /],
    ['nothing to do by the thousand', Array<object>(9000).fill(pods), /expected patches/],
    [
      'one of too many values',
      [{ ...remove, conditions: { ...pods.conditions, namespaces: Array(10_000).fill('a') } }],
      /at most 10000 values/,
    ],
    ['one of too many values below', [{ ...remove, x: Array(200).fill(Array(200).fill({})) }], /at most 10000 values/],
    ['a glob that is too long', [{ ...remove, conditions: { groupResource: 'a'.repeat(5000) } }], /groupResource: /],
  ])('are %s', async (_, given, message) => {
    const { problems: found, modifiers: none } = await parseAll(given);
    expect(none).toBeUndefined();
    expect(found[0]).toMatch(message);
    expect(found.length).toBeLessThan(1100);
  });

  it('yield between all of their steps', async () => {
    const patches = many(50, (index) => operation('add', `/spec/x${index}`));
    const { modifiers: parsed } = await parseAll(Array<object>(100).fill({ ...claims, patches }));
    expect(Array.from(parsed!.apply(PVCS, claim()))).toHaveLength(100 * 51);
  });

  // Copying the item for each of them takes a minute.
  it('apply by the thousand to a large item in a bounded time', { timeout: 10_000 }, async () => {
    const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key-${index}`, 'x'.repeat(20)]));
    const add = (index: number): object => ({ patches: [operation('add', `/data/x${index}`, { value: 'y' })] });
    const merge = (index: number): object => ({ mergePatches: [{ patchData: `{"data": {"x": ${index}}}` }] });
    const given = many(5000, (index) => ({ ...claims, ...(index % 2 === 0 ? add(index) : merge(index)) }));
    const changed = await applyAll(given, { ...claim(), data });
    expect(Object.keys(changed.item['data'] as JsonObject)).toHaveLength(52_501);
  });
});
