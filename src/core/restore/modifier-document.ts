import { z } from 'zod';
import { isObject, own, type Steps } from '../../base/index.ts';
import { hasMoreValues } from '../selection/index.ts';

/** More than anyone writes, and few enough that every item can be checked against all of them. */
const MAX_RULES = 10_000;
/** Numbers, texts, lists and objects in one rule, so that reading it takes no noticeable time. */
const MAX_VALUES = 10_000;
/** A user with more mistakes need not see all of them at once. */
export const MAX_PROBLEMS = 1000;
/** Letters of a glob for types. */
const MAX_GLOB = 4096;

const Operation = z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']);
/** Values are strings; YAML parses an unquoted one by its looks, so it is converted back to its text. */
const scalar = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null()]);
const Value = scalar.transform((value) => (value === null ? '' : String(value)));
const PatchData = z.strictObject({ patchData: z.string() });
const Selector = z.strictObject({
  matchLabels: z.record(z.string(), Value).optional(),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).optional() }))
    .optional(),
});
const ModifierRule = z.strictObject({
  conditions: z.strictObject({
    groupResource: z.string().min(1).max(MAX_GLOB),
    namespaces: z.array(z.string()).optional(),
    resourceNameRegex: z.string().optional(),
    labelSelector: Selector.optional(),
    matches: z.array(z.strictObject({ path: z.string().min(1), value: Value.optional() })).optional(),
  }),
  patches: z
    .array(
      z.strictObject({
        operation: z.string().toLowerCase().pipe(Operation),
        path: z.string().min(1),
        from: z.string().optional(),
        value: Value.optional(),
      }),
    )
    .optional(),
  mergePatches: z.array(PatchData).optional(),
  strategicPatches: z.array(PatchData).optional(),
});
export type ModifierRule = z.output<typeof ModifierRule>;

const Document = z.strictObject({
  version: z.string().refine((version) => version.toLowerCase() === 'v1', 'expected v1'),
  resourceModifierRules: z.array(z.unknown()).min(1).max(MAX_RULES),
});

/** The rules of a document, with everything that is wrong with it. */
export function* readRules(document: unknown, problems: string[]): Steps<ModifierRule[]> {
  const read = Document.safeParse(document);
  if (!read.success) problems.push(...problemsOf(read.error, []));
  const given = isObject(document) ? own(document, 'resourceModifierRules') : undefined;
  const rules: ModifierRule[] = [];
  for (const [index, rule] of Array.isArray(given) ? given.slice(0, MAX_RULES).entries() : []) {
    yield;
    if (problems.length > MAX_PROBLEMS) break;
    const path = ['resourceModifierRules', String(index)];
    const one = hasMoreValues(rule, MAX_VALUES) ? undefined : ModifierRule.safeParse(rule);
    if (one?.success === true) rules.push(one.data);
    else if (one === undefined) problems.push(`${path.join('.')}: expected at most ${MAX_VALUES} values in one rule`);
    else problems.push(...problemsOf(one.error, path));
  }
  return rules;
}

function problemsOf({ issues }: z.ZodError, before: readonly string[]): string[] {
  return issues.map(({ path, message }) => `${[...before, ...path.map(String)].join('.')}: ${message}`);
}
