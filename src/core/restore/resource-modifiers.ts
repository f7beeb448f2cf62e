import { z } from 'zod';
import {
  AppError,
  applyJsonPatch,
  applyMergePatch,
  isAppError,
  isObject,
  messageOf,
  parseJson,
  textAt,
  textsAt,
  type Json,
  type JsonObject,
  type JsonPatchOperation,
} from '../../base/index.ts';
import { anyGlobMatcher, matchesSelector, selectorProblems } from '../backup/index.ts';
import { labelsOf, nameOf } from './fields.ts';

const Operation = z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']);
const PatchData = z.strictObject({ patchData: z.string() });
const Selector = z.strictObject({
  matchLabels: z.record(z.string(), z.string()).optional(),
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
    matches: z.array(z.strictObject({ path: z.string().min(1), value: z.string().optional() })).optional(),
  }),
  patches: z
    .array(
      z.strictObject({
        operation: z.string().toLowerCase().pipe(Operation),
        path: z.string().min(1),
        from: z.string().optional(),
        value: z.string().optional(),
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
  /** The changed item, or an AppError that names every rule that does not fit. */
  apply(groupResource: string, item: JsonObject): JsonObject;
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

function applyRules(rules: readonly CompiledRule[], groupResource: string, item: JsonObject): JsonObject {
  const problems: string[] = [];
  let result = item;
  for (const rule of rules) {
    if (!rule.concerns(groupResource, result)) continue;
    try {
      result = rule.change(result);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  if (problems.length === 0) return result;
  const what = `${groupResource} ${nameOf(item)}`;
  throw new AppError('invalid', `resource modifiers do not fit ${what}: ${problems.join('; ')}`);
}

function compile(rule: Rule, index: number, deps: ModifierDeps): CompiledRule | { problems: string[] } {
  const problems: string[] = [];
  const concerns = condition(rule.conditions, problems);
  const kinds = [rule.patches, rule.mergePatches, rule.strategicPatches].filter((list) => list !== undefined);
  if (kinds.length > 1) problems.push('only one of patches, mergePatches and strategicPatches may be there');
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

/** Undefined if a test in the patch fails, which means that it is not for this item. */
function patchUnlessTestFails(item: JsonObject, operations: readonly JsonPatchOperation[]): JsonObject | undefined {
  try {
    return applyJsonPatch(item, operations);
  } catch (error) {
    if (isAppError(error, 'invalid') && error.details?.['failedTest'] === true) return undefined;
    throw error;
  }
}

function refuseStrategic(): never {
  throw new AppError('unsupported', 'strategic patches cannot be applied here');
}

function condition(conditions: Rule['conditions'], problems: string[]): CompiledRule['concerns'] {
  const { groupResource: wanted, namespaces = [], labelSelector, matches = [] } = conditions;
  const isNamespace = anyGlobMatcher(namespaces);
  const name = nameExpression(conditions.resourceNameRegex, problems);
  if (labelSelector !== undefined) problems.push(...selectorProblems(labelSelector));
  const tests = matches.flatMap((match) => operationOf({ operation: 'test', ...match }, problems));
  return (groupResource, item) =>
    isResource(wanted, groupResource) &&
    (namespaces.length === 0 || isNamespace(textAt(item, 'metadata', 'namespace') ?? '')) &&
    name.test(nameOf(item)) &&
    (labelSelector === undefined || matchesSelector(labelSelector, labelsOf(item))) &&
    patchUnlessTestFails(item, tests) !== undefined;
}

/** A star stands for a part between dots: `*.apps`. */
function isResource(pattern: string, groupResource: string): boolean {
  const wanted = pattern.split('.');
  const parts = groupResource.split('.');
  return wanted.length === parts.length && wanted.every((glob, at) => anyGlobMatcher([glob])(parts[at] ?? ''));
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

function operationOf(patch: NonNullable<Rule['patches']>[number], problems: string[]): JsonPatchOperation[] {
  const { operation: op, path, from, value = '' } = patch;
  const needsFrom = op === 'move' || op === 'copy';
  if (!path.startsWith('/')) problems.push(`path "${path}": expected it to begin with a slash`);
  if (needsFrom && (from === undefined || !from.startsWith('/'))) {
    problems.push(`${op} to "${path}": expected from to begin with a slash`);
  }
  return [{ op, path, ...(from === undefined ? {} : { from }), value: valueOf(value, problems) }];
}

/** Values are texts that stand for what they look like; quotes around one keep it a text. */
function valueOf(text: string, problems: string[]): Json {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (!/^(null$|[{[])/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return text;
  try {
    return parseJson(text) as Json;
  } catch (error) {
    // A number such as 007 or +1 is none in JSON, and what else begins with a bracket is a mistake.
    if (!/^[{[]/.test(text)) return Number(text);
    problems.push(`value ${text.slice(0, 100)}: ${messageOf(error)}`);
    return null;
  }
}

function patchDocument(text: string, deps: ModifierDeps, problems: string[]): JsonObject[] {
  const document = readYaml(text, deps);
  if ('value' in document && isObject(document.value)) return [document.value];
  problems.push(`patchData: ${'problem' in document ? document.problem : 'expected an object'}`);
  return [];
}
