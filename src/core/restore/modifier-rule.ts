import { isObject, type Draft, type JsonObject, type Steps } from '../../base/index.ts';
import { conditionOf, type Condition } from './modifier-conditions.ts';
import type { ModifierRule } from './modifier-document.ts';
import { modify, operationOf } from './modifier-patch.ts';
import type { PatternReader } from './pattern-reader.ts';

/** Strategic patches depend on which lists merge by which key, so the code that knows the types applies them. */
export type StrategicMerge = (item: JsonObject, patch: JsonObject) => JsonObject;

export type ReadYaml = { value: unknown } | { problem: string };

/** A rule that is parsed as far as possible without an item. */
export interface CompiledRule {
  isFor: Condition;
  change(draft: Draft): Steps<void>;
}

export interface CompileDeps {
  patterns: PatternReader;
  /** The parsed patches, by their text. */
  patches: ReadonlyMap<string, ReadYaml>;
  strategicMerge: StrategicMerge;
}

export function compileRule(rule: ModifierRule, deps: CompileDeps, problems: string[]): CompiledRule {
  const isFor = conditionOf(rule.conditions, deps.patterns, problems);
  const kinds = [rule.patches, rule.mergePatches, rule.strategicPatches].filter((list) => list !== undefined);
  if (kinds.length > 1) problems.push('only one of patches, mergePatches and strategicPatches may be there');
  if (kinds.every((list) => list.length === 0)) problems.push('expected patches, mergePatches or strategicPatches');
  const operations = (rule.patches ?? []).map((patch) => operationOf(patch, problems));
  const merges = patchesOf(rule.mergePatches, deps, problems);
  const strategic = patchesOf(rule.strategicPatches, deps, problems);
  return {
    isFor,
    *change(draft) {
      for (const operation of operations) {
        modify(draft, operation);
        yield;
      }
      for (const patch of merges) {
        draft.merge(patch);
        yield;
      }
      for (const patch of strategic) {
        draft.root = deps.strategicMerge(draft.root, patch);
        yield;
      }
    },
  };
}

function patchesOf(given: ModifierRule['mergePatches'], { patches }: CompileDeps, problems: string[]): JsonObject[] {
  return (given ?? []).flatMap(({ patchData }) => {
    const read = patches.get(patchData) ?? { value: undefined };
    if ('value' in read && isObject(read.value)) return [read.value];
    problems.push(`patchData: ${'problem' in read ? `cannot read YAML: ${read.problem}` : 'expected an object'}`);
    return [];
  });
}
