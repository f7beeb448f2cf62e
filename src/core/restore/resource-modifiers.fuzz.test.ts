import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { finish } from '../../../test/finish.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import type { JsonObject, Steps } from '../../base/index.ts';
import { parseResourceModifiers, strategicMerge } from './index.ts';

const word = fc.constantFrom(
  'pods',
  '*',
  '**',
  '{a,b}',
  '[!p]',
  'configmaps',
  '',
  'shop',
  '\\',
  '{'.repeat(3000),
  '?*'.repeat(2000),
);
const regex = fc.constantFrom(
  '',
  '.*',
  '^(a+)+$',
  '(a*)*b',
  '\\1',
  '(',
  '(?i)A',
  'a{1,1000}b',
  '(?:a?){90}',
  '[',
  '\\pL+$',
);
const path = fc.constantFrom(
  '/data',
  '/data/k',
  '/data/x',
  '/metadata',
  '/metadata/labels/app',
  '/list/0',
  '/list/-',
  '/',
  'data',
);
const value = fc.constantFrom('1', 'true', 'x', '"2"', '{"a": [1]}', '{', '[]', 'null', '1e400', '9'.repeat(50));
const operation = fc.record(
  { operation: fc.constantFrom('add', 'Remove', 'replace', 'move', 'copy', 'test', 'set'), path, from: path, value },
  { requiredKeys: ['operation', 'path'] },
);
const patch = fc.record({
  patchData: fc.constantFrom(
    '{"data": {"k": null, "y": "z"}}',
    '{"metadata": {"$patch": "replace"}}',
    '[]',
    '{',
    '{"list": [{"$patch": "x"}]}',
  ),
});
const rule = fc.record(
  {
    conditions: fc.record(
      {
        groupResource: word,
        namespaces: fc.array(word, { maxLength: 2 }),
        resourceNameRegex: regex,
        labelSelector: fc.constantFrom(
          {},
          { matchLabels: { app: 1 } },
          { matchExpressions: [{ key: 'toString', operator: 'Exists' }] },
        ),
        matches: fc.array(fc.record({ path, value }), { maxLength: 2 }),
      },
      { requiredKeys: ['groupResource'] },
    ),
    patches: fc.array(operation, { maxLength: 6 }),
    mergePatches: fc.array(patch, { maxLength: 2 }),
    strategicPatches: fc.array(patch, { maxLength: 2 }),
  },
  { requiredKeys: ['conditions'] },
);
const document = fc.oneof(
  fc.array(rule, { maxLength: 4 }),
  fc.tuple(rule, fc.nat(1000)).map(([one, count]) => Array<typeof one>(count).fill(one)),
  fc.jsonValue({ maxDepth: 4 }),
);
const item = fc.record({
  apiVersion: fc.constantFrom('v1', 'example.com/v1'),
  kind: fc.constantFrom('ConfigMap', 'Pod'),
  metadata: fc.record({
    name: fc.nat(5000).map((length) => 'a'.repeat(length)),
    labels: fc.constantFrom({}, { app: '1' }),
  }),
  data: fc.dictionary(fc.constantFrom('k', 'x', '__proto__'), fc.string()),
  list: fc.array(fc.constantFrom('a', 1, { name: 'n' }), { maxLength: 3 }),
}) as fc.Arbitrary<JsonObject>;

/** Runs all of the work, and measures its longest step. */
function longestStep<Result>(steps: Steps<Result>): { result: Result; ms: number } {
  let longest = 0;
  for (;;) {
    const { result: step, ms } = cpuTime(() => steps.next());
    longest = Math.max(longest, ms);
    if (step.done === true) return { result: step.value, ms: longest };
  }
}

it('rules of any shape are read or refused, and change an item in short steps', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(document, item, async (resourceModifierRules, given) => {
    const before = JSON.stringify(given);
    const parsed = await parseResourceModifiers(
      { data: { rules: JSON.stringify({ version: 'v1', resourceModifierRules }) } },
      {
        readYaml: (texts) => Promise.resolve(texts.map(readJson)),
        inSlices: (steps) => Promise.resolve(finish(steps)),
        strategicMerge,
      },
    );
    expect(parsed.modifiers === undefined).toBe(parsed.problems.length > 0);
    if (parsed.modifiers === undefined) return;
    const { result, ms } = longestStep(parsed.modifiers.apply('configmaps', given));
    expect(ms).toBeLessThan(250);
    expect(result.problems.length).toBeLessThan(22);
    expect(JSON.stringify(result.item).length).toBeLessThan(8e6);
    expect(JSON.stringify(given)).toBe(before);
  });
  await fc.assert(property, { numRuns: fuzzRuns(30), endOnFailure: true });
});

function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'no JSON' };
  }
}
