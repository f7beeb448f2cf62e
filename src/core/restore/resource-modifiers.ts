import { AppError, Draft, isAppError, textsAt, type JsonObject, type Steps } from '../../base/index.ts';
import { factsOf } from './modifier-conditions.ts';
import { MAX_PROBLEMS, readRules, type ModifierRule } from './modifier-document.ts';
import { isFailedTest } from './modifier-patch.ts';
import {
  compileRule,
  type CompileDeps,
  type CompiledRule,
  type ReadYaml,
  type StrategicMerge,
} from './modifier-rule.ts';
import { PatternReader } from './pattern-reader.ts';

export interface ResourceModifiers {
  apply(groupResource: string, item: JsonObject): Steps<Modified>;
}

export interface Modified {
  /** Changed by all rules that apply. */
  item: JsonObject;
  /** One line for each rule that applies to the item but fails; after some, how many more there are. */
  problems: readonly string[];
}

export interface ParsedModifiers {
  /** Absent when there are problems. */
  modifiers?: ResourceModifiers;
  problems: string[];
}

export interface ModifierDeps {
  /** Reads all of the texts, in their order; one that cannot be read does not affect the others. */
  readYaml(texts: readonly string[]): Promise<ReadYaml[]>;
  /** Does long work in slices and yields to other work. */
  inSlices<Result>(steps: Steps<Result>): Promise<Result>;
  strategicMerge?: StrategicMerge;
}

const NOT_READ: ReadYaml = { problem: 'it was not read' };
/** Each is a line in the results of the restore, and thousands of rules may fail for one item. */
const MAX_PROBLEMS_OF_ITEM = 20;

/** Reads the ConfigMap that a restore names; reports every mistake in it at once. */
export async function parseResourceModifiers(configMap: JsonObject, deps: ModifierDeps): Promise<ParsedModifiers> {
  const texts = Object.values(textsAt(configMap, 'data'));
  if (texts.length !== 1) return { problems: [`expected one key in the ConfigMap's data, got ${texts.length}`] };
  const [document = NOT_READ] = await deps.readYaml(texts);
  if ('problem' in document) return { problems: [`cannot read YAML: ${document.problem}`] };
  const problems: string[] = [];
  const rules = await deps.inSlices(readRules(document.value, problems));
  if (problems.length > 0) return { problems };
  const { strategicMerge = refuseStrategic } = deps;
  const compileDeps = { patterns: new PatternReader(), patches: await readPatches(rules, deps), strategicMerge };
  const compiled = await deps.inSlices(compileRules(rules, compileDeps, problems));
  if (problems.length > 0) return { problems };
  return { problems, modifiers: { apply: (groupResource, item) => applyRules(compiled, groupResource, item) } };
}

/** Reads the patches of all rules at once. */
async function readPatches(rules: readonly ModifierRule[], deps: ModifierDeps): Promise<CompileDeps['patches']> {
  const given = rules.flatMap(({ mergePatches = [], strategicPatches = [] }) => [...mergePatches, ...strategicPatches]);
  const texts = [...new Set(given.map(({ patchData }) => patchData))];
  const read = await deps.readYaml(texts);
  return new Map(texts.map((text, index) => [text, read[index] ?? NOT_READ]));
}

function refuseStrategic(): never {
  throw new AppError('unsupported', 'strategic patches cannot be applied here');
}

function* compileRules(rules: readonly ModifierRule[], deps: CompileDeps, problems: string[]): Steps<CompiledRule[]> {
  const compiled: CompiledRule[] = [];
  for (const [index, rule] of rules.entries()) {
    yield;
    if (problems.length > MAX_PROBLEMS) break;
    const own: string[] = [];
    compiled.push(compileRule(rule, deps, own));
    problems.push(...own.map((text) => `resourceModifierRules.${index}: ${text}`));
  }
  return compiled;
}

function* applyRules(rules: readonly CompiledRule[], groupResource: string, item: JsonObject): Steps<Modified> {
  // A rule matches what was backed up, not what earlier rules made of it.
  const facts = factsOf(groupResource, item);
  const draft = new Draft(item);
  const problems: string[] = [];
  let more = 0;
  for (const rule of rules) {
    yield;
    try {
      if (rule.isFor(facts)) yield* draft.attempt(rule.change(draft));
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (isFailedTest(error)) continue;
      if (problems.length === MAX_PROBLEMS_OF_ITEM) more += 1;
      else problems.push(`a resource modifier does not fit: ${error.message}`);
    }
  }
  if (more > 0) problems.push(`${more} more resource modifiers do not fit`);
  return { item: draft.root, problems };
}
