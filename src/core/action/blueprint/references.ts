import type { Json } from '../../../base/index.ts';
import type { Where } from '../arguments/where.ts';
import type { BlueprintAction } from './phase.ts';
import type { Problem } from './problem.ts';
import { walk } from './templates.ts';

const REFERENCE = /\.Phases\.(\w+)/g;

/** Templates that name a phase which the action does not have, or has only later: they find nothing when they run. */
export function referenceProblems(action: BlueprintAction, where: Where): Problem[] {
  const { phases = [], deferPhase, outputArtifacts = {} } = action;
  const names = phases.map(({ name = '' }) => name);
  const unmet = (json: Json, at: Where, known: readonly string[], root = ''): Problem[] => {
    const problems: Problem[] = [];
    walk(json, root, 0, (text, path) => {
      for (const [, name = ''] of text.matchAll(REFERENCE)) {
        if (known.includes(name)) continue;
        const message = names.includes(name) ? `phase ${name} runs later` : `there is no phase ${name} in this action`;
        problems.push({ where: { ...at, argument: path.replace(/^\./, '') }, message, stops: 'nothing' });
      }
    });
    return problems;
  };
  return [
    // Its own Secrets and ConfigMaps are there when a phase begins, its output is not.
    ...phases.flatMap(({ name = '', args = {} }, index) =>
      unmet(args, { ...where, phase: name }, names.slice(0, index + 1)),
    ),
    ...(deferPhase === undefined
      ? []
      : unmet(deferPhase.args ?? {}, { ...where, phase: deferPhase.name ?? '' }, names)),
    ...unmet(outputArtifacts, where, names, 'outputArtifacts'),
  ];
}
