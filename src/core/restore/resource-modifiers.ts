import { z } from 'zod';
import { AppError, applyMergePatch, isObject, messageOf, textAt, textsAt, type JsonObject } from '../../base/index.ts';
import { labelsOf, nameOf } from './fields.ts';
import { operationOf, patchUnlessTestFails } from './modifier-patch.ts';
import { patternProblem, resourceMatcher } from './resource-pattern.ts';
import { anyGlobMatcher, matchesSelector, selectorProblems } from '../selection/index.ts';

const Operation = z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']);
/** Values are texts; YAML reads one without quotes as what it looks like, which the text stands for anyway. */
const scalar = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null()]);
const Value = scalar.transform((value) => (value === null ? '' : String(value)));
const PatchData = z.strictObject({ patchData: z.string() });
const Selector = z.strictObject({
  matchLabels: z.record(z.string(), Value).optional(),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).optional() }))
    .optional(),
});
const Rule = z.strictObject({
  conditions: z.strictObject({
    groupResource: z.string().min(1),
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
const Document = z.strictObject({
  version: z.string().refine((version) => version.toLowerCase() === 'v1', 'expected v1'),
  resourceModifierRules: z.array(Rule).min(1),
});
type Rule = z.infer<typeof Rule>;

/** Strategic patches need to know which lists merge by which key, so whoever knows the types does that. */
export type StrategicMerge = (item: JsonObject, patch: JsonObject) => JsonObject;

export interface ResourceModifiers {
  apply(groupResource: string, item: JsonObject): Modified;
}

export interface Modified {
  /** Changed by all rules that fit. */
  item: JsonObject;
  /** One line for every rule that is for the item and does not fit it. */
  problems: readonly string[];
}

export interface ParsedModifiers {
  /** Absent when there are problems. */
  modifiers?: ResourceModifiers;
  problems: string[];
}

export interface ModifierDeps {
  parseYaml(text: string): unknown;
  strategicMerge?: StrategicMerge;
}

interface CompiledRule {
  concerns(groupResource: string, item: JsonObject): boolean;
  change(item: JsonObject): JsonObject;
}

/** Reads the ConfigMap that a restore names; every mistake in it at once. */
export function parseResourceModifiers(configMap: JsonObject, deps: ModifierDeps): ParsedModifiers {
  const texts = Object.values(textsAt(configMap, 'data'));
  const [text] = texts;
  if (text === undefined || texts.length > 1) {
    return { problems: [`expected one key in the ConfigMap's data, got ${texts.length}`] };
  }
  const document = readYaml(text, deps);
  if ('problem' in document) return { problems: [document.problem] };
  const read = Document.safeParse(document.value);
  if (!read.success) {
    return { problems: read.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`) };
  }
  const rules = read.data.resourceModifierRules.map((rule, index) => compile(rule, index, deps));
  const problems = rules.flatMap((rule) => ('problems' in rule ? rule.problems : []));
  if (problems.length > 0) return { problems };
  const compiled = rules.filter((rule) => 'change' in rule);
  return { problems, modifiers: { apply: (groupResource, item) => applyRules(compiled, groupResource, item) } };
}

function readYaml(text: string, deps: ModifierDeps): { value: unknown } | { problem: string } {
  try {
    return { value: deps.parseYaml(text) };
  } catch (error) {
    return { problem: `cannot read YAML: ${messageOf(error)}` };
  }
}

function applyRules(rules: readonly CompiledRule[], groupResource: string, item: JsonObject): Modified {
  const problems: string[] = [];
  let result = item;
  for (const rule of rules) {
    // A rule is for what was backed up, not for what the rules before it made of that.
    if (!rule.concerns(groupResource, item)) continue;
    try {
      result = rule.change(result);
    } catch (error) {
      problems.push(`a resource modifier does not fit: ${messageOf(error)}`);
    }
  }
  return { item: result, problems };
}

function compile(rule: Rule, index: number, deps: ModifierDeps): CompiledRule | { problems: string[] } {
  const problems: string[] = [];
  const concerns = condition(rule.conditions, problems);
  const kinds = [rule.patches, rule.mergePatches, rule.strategicPatches].filter((list) => list !== undefined);
  if (kinds.length > 1) problems.push('only one of patches, mergePatches and strategicPatches may be there');
  if (kinds.every((list) => list.length === 0)) problems.push('expected patches, mergePatches or strategicPatches');
  const operations = (rule.patches ?? []).flatMap((patch) => operationOf(patch, problems));
  const documents = (patches: { patchData: string }[] | undefined): JsonObject[] =>
    (patches ?? []).flatMap(({ patchData }) => patchDocument(patchData, deps, problems));
  const merges = documents(rule.mergePatches);
  const strategic = documents(rule.strategicPatches);
  if (problems.length > 0) return { problems: problems.map((text) => `resourceModifierRules.${index}: ${text}`) };
  const { strategicMerge = refuseStrategic } = deps;
  return {
    concerns,
    change: (item) => {
      const patched = patchUnlessTestFails(item, operations) ?? item;
      return strategic.reduce(strategicMerge, merges.reduce(applyMergePatch, patched));
    },
  };
}

function refuseStrategic(): never {
  throw new AppError('unsupported', 'strategic patches cannot be applied here');
}

function condition(conditions: Rule['conditions'], problems: string[]): CompiledRule['concerns'] {
  const { groupResource: wanted, namespaces = [], labelSelector, matches = [] } = conditions;
  const tooMany = patternProblem(wanted);
  if (tooMany !== undefined) problems.push(`groupResource: ${tooMany}`);
  const isResource = resourceMatcher(tooMany === undefined ? wanted : '');
  const isNamespace = anyGlobMatcher(namespaces);
  // What is in no namespace is kept out by none.
  const isIn = (namespace: string | undefined): boolean =>
    namespaces.length === 0 || namespace === undefined || isNamespace(namespace);
  const name = nameExpression(conditions.resourceNameRegex, problems);
  if (labelSelector !== undefined) problems.push(...selectorProblems(labelSelector));
  const tests = matches.flatMap((match) => operationOf({ operation: 'test', ...match }, problems));
  return (groupResource, item) =>
    isResource(groupResource) &&
    isIn(textAt(item, 'metadata', 'namespace')) &&
    name.test(nameOf(item)) &&
    (labelSelector === undefined || matchesSelector(labelSelector, labelsOf(item))) &&
    patchUnlessTestFails(item, tests) !== undefined;
}

/** Go's syntax is JavaScript's but for flags in front, of which `(?i)` is used. */
function nameExpression(source: string | undefined, problems: string[]): RegExp {
  const [, flags = '', rest = ''] = /^(?:\(\?([is]+)\))?([^]*)$/.exec(source ?? '') ?? [];
  try {
    return new RegExp(rest, flags);
  } catch (error) {
    problems.push(`resourceNameRegex: ${messageOf(error)}`);
    return /(?!)/;
  }
}

function patchDocument(text: string, deps: ModifierDeps, problems: string[]): JsonObject[] {
  const document = readYaml(text, deps);
  if ('value' in document && isObject(document.value)) return [document.value];
  problems.push(`patchData: ${'problem' in document ? document.problem : 'expected an object'}`);
  return [];
}
