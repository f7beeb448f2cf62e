import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import {
  actionForVolume,
  anyGlobMatcher,
  fineFilter,
  formatSelector,
  globProblem,
  listProblems,
  matchesSelector,
  nameFilter,
  parseResourcePolicies,
  resourceNames,
  selectNamespaces,
  selectorProblems,
  tooManyValues,
} from './index.ts';
import { parseQuantity } from './quantity.ts';

const GLOB = ['a', 'b', '-', '.', '*', '?', '[', ']', '[a-b]', '{', ',', '!', '**', '日', '\udc00'];
const repeated = (units: readonly string[], most: number): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...units), fc.nat(most)).map(([unit, count]) => unit.repeat(count));
const glob = fc.oneof(
  fc.array(fc.constantFrom(...GLOB), { maxLength: 12 }).map((tokens) => tokens.join('')),
  repeated([...GLOB, '*a'], 100_000),
);
const globs = fc.array(glob, { maxLength: 8 });
const label = fc.constantFrom('app', 'tier', 'constructor', '__proto__', 'toString', '');
const selector = fc.record(
  {
    matchLabels: fc.dictionary(label, label),
    matchExpressions: fc.array(
      fc.record({
        key: label,
        operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Like'),
        values: fc.array(label, { maxLength: 3 }),
      }),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: [] },
);

/** Nothing here may take longer, whatever the input. */
const MAX_MS = 500;

describe('globs', () => {
  it('are judged and matched in no time', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(
        globs,
        globs,
        fc.string({ unit: fc.constantFrom('a', 'b', '-', '日'), maxLength: 253 }),
        (yes, no, name) => {
          const { ms } = cpuTime(() => {
            for (const pattern of yes) globProblem(pattern);
            listProblems(yes, no);
            nameFilter(yes, no).includes(name);
            selectNamespaces({ includedNamespaces: yes, excludedNamespaces: no }, [name, 'a', 'b']);
          });
          expect(ms).toBeLessThan(MAX_MS);
        },
      ),
      { numRuns: fuzzRuns(40), endOnFailure: true },
    );
  });

  // Each of these once blocked the process for many seconds.
  const many = Array.from({ length: 20_000 }, (_, index) => `name-${index}`);
  it.each<[string, () => unknown]>([
    ['brackets that are not closed', () => globProblem('['.repeat(500_000))],
    [
      'two long lists',
      () =>
        listProblems(
          many,
          many.map((name) => `x${name}`),
        ),
    ],
    ['a long list of types', () => resolveAll(many)],
    [
      'a long list of namespaces',
      () =>
        selectNamespaces(
          { includedNamespaces: many },
          many.map((name) => `x${name}`),
        ),
    ],
    ['a pattern of stars', () => anyGlobMatcher([`${'*a'.repeat(500_000)}b`])('a'.repeat(253))],
    ['a long list of policies', () => parseResourcePolicies(policyOf(many))],
    ['a longer list of policies', () => parseResourcePolicies(policyOf(Array.from({ length: 1_000_000 }, String)))],
  ])('and %s take no time', (_, work) => {
    expect(cpuTime(work).ms).toBeLessThan(MAX_MS);
  });

  const typeOf = (_: unknown, index: number) => ({
    ...{ group: 'g', version: 'v1', kind: `Kind${index}`, plural: `kind${index}s`, singular: `kind${index}` },
    ...{ namespaced: true, preferred: true, shortNames: [`k${index}`], verbs: [] },
  });
  const resolveAll = (names: string[]): unknown[] => {
    const known = resourceNames(Array.from({ length: 300 }, typeOf));
    return names.map((name) => known.resolve(name));
  };
  const policyOf = (namespaces: string[]) => ({
    version: 'v1',
    namespacedFilterPolicies: [{ namespaces, resourceFilters: [{ kinds: ['pods'] }] }],
  });
});

it('label selectors are judged and matched, whatever labels are named', () => {
  fc.assert(
    fc.property(selector, fc.dictionary(label, label), (given, labels) => {
      selectorProblems(given);
      formatSelector(given);
      const exists = { matchExpressions: [{ key: 'toString', operator: 'Exists' }] };
      expect(matchesSelector(exists, labels)).toBe(Object.hasOwn(labels, 'toString'));
      expect(typeof matchesSelector(given, labels)).toBe('boolean');
    }),
    { numRuns: fuzzRuns(300), endOnFailure: true },
  );
});

it('quantities are read in no time', () => {
  const text = fc.oneof(repeated(['1', '.', '1e', 'Gi', '-', ' ', '1.'], 500_000), fc.string({ maxLength: 20 }));
  fc.assert(
    fc.property(text, (given) => {
      expect(cpuTime(() => parseQuantity(given)).ms).toBeLessThan(MAX_MS);
    }),
    { numRuns: fuzzRuns(100), endOnFailure: true },
  );
});

describe('policies', () => {
  const anything = fc.jsonValue({ maxDepth: 3 });
  const filters = fc.array(
    fc.record(
      {
        kinds: globs,
        names: globs,
        excludedNames: globs,
        labelSelector: selector,
        orLabelSelectors: fc.array(selector),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  );
  const conditions = fc.record(
    {
      capacity: fc.oneof(fc.constantFrom('1Gi,', ',', '1,2,3', ',0'), fc.string()),
      pvcLabels: fc.dictionary(label, label),
    },
    { requiredKeys: [] },
  );
  const document = fc.record(
    {
      version: fc.constantFrom('v1', 'v2'),
      volumePolicies: fc.array(fc.record({ conditions, action: fc.constant({ type: 'skip' }) }), { maxLength: 3 }),
      includeExcludePolicy: fc.oneof(anything, fc.record({ includedClusterScopedResources: globs })),
      clusterScopedFilterPolicy: fc.record({ resourceFilters: filters }),
      namespacedFilterPolicies: fc.array(fc.record({ namespaces: globs, resourceFilters: filters }), { maxLength: 3 }),
    },
    { requiredKeys: ['version'] },
  );
  const volume = { capacityBytes: 1, type: '', claim: { labels: {}, accessModes: [], phase: '', volumeMode: '' } };

  it('of any shape are read or refused with a reason, and then choose without an error', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.oneof(document, document, anything), (given) => {
        const { ms } = cpuTime(() => {
          const { policies, problems } = parseResourcePolicies(given);
          expect(policies === undefined).toBe(problems.length > 0);
          if (policies === undefined) return;
          actionForVolume(policies, volume);
          const rule = fineFilter(policies, resourceNames([])).ruleFor('a', 'pods');
          if (typeof rule === 'object') rule.hasName('a'.repeat(253));
        });
        expect(ms).toBeLessThan(MAX_MS);
        expect(tooManyValues(given)).toBeUndefined();
      }),
      { numRuns: fuzzRuns(200), endOnFailure: true },
    );
  });
});
