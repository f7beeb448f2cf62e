import type { Blueprint } from '../../../api/kanister/blueprint.ts';
import type { Where } from '../arguments/where.ts';
import { phaseProblems, type BlueprintAction, type BlueprintPhase } from './phase.ts';
import type { Problem } from './problem.ts';
import { referenceProblems } from './references.ts';
import { check } from './templates.ts';

/** Everything that is wrong with a Blueprint, without asking a cluster. */
export function validateBlueprint(blueprint: Blueprint): Problem[] {
  const { actions = {} } = blueprint;
  const where: Where = { blueprint: blueprint.metadata.name };
  if (Object.keys(actions).length === 0) return [{ where, message: 'has no actions', stops: 'nothing' }];
  return [
    ...Object.entries(actions).flatMap(([name, action]) => actionProblems(action, { ...where, action: name })),
    ...sharedNames(actions, where),
  ];
}

/** Everything that is wrong with one action. */
export function actionProblems(action: BlueprintAction, where: Where): Problem[] {
  const { phases = [], deferPhase } = action;
  const empty: Problem[] =
    phases.length > 0 ? [] : [{ where, message: 'has no phases: it does nothing and completes', stops: 'nothing' }];
  return [
    ...empty,
    ...phases.flatMap((phase, index) => namedPhase(phase, { ...where, phase: phaseTitle(phase, index) })),
    ...(deferPhase === undefined ? [] : phaseProblems(deferPhase, { ...where, phase: deferTitle(deferPhase) })),
    ...duplicates(action, where),
    ...artifactProblems(action, where),
    ...referenceProblems(action, where),
  ];
}

/** Numbers tell phases without a name apart. */
function phaseTitle({ name = '' }: BlueprintPhase, index: number): string {
  return name === '' ? String(index + 1) : name;
}

function deferTitle({ name = '' }: BlueprintPhase): string {
  return name === '' ? 'deferPhase' : name;
}

function namedPhase(phase: BlueprintPhase, where: Where): Problem[] {
  const nameless: Problem[] = phase.name ? [] : [{ where, message: 'has no name', stops: 'run' }];
  return [...nameless, ...phaseProblems(phase, where)];
}

/** Outputs are found by the name of their phase. */
function duplicates({ phases = [], deferPhase }: BlueprintAction, where: Where): Problem[] {
  const names = [...phases, ...(deferPhase === undefined ? [] : [deferPhase])].map(({ name = '' }) => name);
  const twice = new Set(names.filter((name, index) => name !== '' && names.indexOf(name) < index));
  return [...twice].map((name) => ({
    where: { ...where, phase: name },
    message: 'Duplicated phase name is not allowed',
    stops: 'run',
  }));
}

/** Kanister's webhook refuses a name that two actions share; its controller does not mind. */
function sharedNames(actions: Readonly<Record<string, BlueprintAction>>, where: Where): Problem[] {
  const users = new Map<string, Set<string>>();
  for (const [action, { phases = [] }] of Object.entries(actions)) {
    for (const { name = '' } of phases) users.set(name, (users.get(name) ?? new Set()).add(action));
  }
  return [...users]
    .filter(([name, { size }]) => name !== '' && size > 1)
    .map(([phase, names]) => ({
      where: { ...where, phase },
      message: `actions ${[...names].join(', ')} share this name, which Kanister's webhook refuses`,
      stops: 'nothing',
    }));
}

function artifactProblems({ outputArtifacts = {} }: BlueprintAction, where: Where): Problem[] {
  return Object.entries(outputArtifacts).flatMap(([name, { keyValue = {}, kopiaSnapshot = '' }]) => {
    const at = (path: string): Where => ({ ...where, argument: `outputArtifacts.${name}.${path}` });
    return [
      ...Object.entries(keyValue).flatMap(([key, value]) => check(value, at(`keyValue.${key}`))),
      ...check(kopiaSnapshot, at('kopiaSnapshot')),
    ];
  });
}
