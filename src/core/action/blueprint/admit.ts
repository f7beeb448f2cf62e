import type { ActionSet } from '../../../api/kanister/action-set.ts';
import type { Blueprint } from '../../../api/kanister/blueprint.ts';
import { messageOf } from '../../../base/index.ts';
import { isVersion } from '../template/index.ts';
import type { Where } from '../arguments/where.ts';
import type { BlueprintAction } from './phase.ts';
import type { Problem } from './problem.ts';
import { actionTarget } from './target.ts';
import { actionProblems } from './validate.ts';

export type ActionSpec = NonNullable<ActionSet['spec']['actions']>[number];

/** The action that a spec names, or why there is none, in upstream's words. */
export function findAction(
  spec: ActionSpec,
  blueprint: Blueprint | undefined,
): { action: BlueprintAction } | { problem: string } {
  const { name = '', blueprint: wanted = '', object = {} } = spec;
  if (wanted === '') return { problem: 'Blueprint is not specified for action' };
  if (blueprint === undefined) {
    return { problem: `Failed to query blueprint: blueprints.cr.kanister.io "${wanted}" not found` };
  }
  const { actions = {} } = blueprint;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return { action };
  const known = Object.keys(actions).join(', ');
  const hint = known === '' ? 'it has none' : `it has ${known}`;
  return {
    problem: `Action ${name} for object kind ${object.kind ?? ''} not found in blueprint ${wanted} (${hint})`,
  };
}

/** Everything that keeps an action from beginning and can be told without asking the cluster. */
export function admissionProblems(spec: ActionSpec, action: BlueprintAction): Problem[] {
  const where: Where = { blueprint: spec.blueprint, action: spec.name };
  return [
    ...objectProblems(spec, where),
    ...versionProblems(spec, where),
    ...missingInputs(spec, action, where),
    ...actionProblems(action, where).filter(({ stops }) => stops === 'run'),
  ];
}

function objectProblems({ object = {} }: ActionSpec, where: Where): Problem[] {
  try {
    actionTarget(object);
    return [];
  } catch (error) {
    return [{ where, message: messageOf(error), stops: 'run' }];
  }
}

function versionProblems({ preferredVersion = '' }: ActionSpec, where: Where): Problem[] {
  if (preferredVersion === '' || isVersion(preferredVersion)) return [];
  const message = `Failed to get function version: Failed to parse function version {${preferredVersion}}: Invalid Semantic Version`;
  return [{ where, message, stops: 'run' }];
}

/** What the Blueprint says an ActionSet has to bring. Upstream only documents it, and fails later. */
function missingInputs(spec: ActionSpec, action: BlueprintAction, where: Where): Problem[] {
  const needs = [
    ['artifact', action.inputArtifactNames, spec.artifacts],
    ['secret', action.secretNames, spec.secrets],
    ['config map', action.configMapNames, spec.configMaps],
  ] as const;
  return needs.flatMap(([what, names = [], given = {}]) =>
    names
      .filter((name) => !Object.hasOwn(given, name))
      .map((name): Problem => ({ where, message: `${what} ${name} is missing: the Blueprint needs it`, stops: 'run' })),
  );
}
