import { Blueprint } from '../../../api/index.ts';
import { AppError } from '../../../base/index.ts';
import {
  findAction,
  type ActionSetStatus,
  type ActionSpec,
  type BlueprintAction,
  type BlueprintPhase,
  type PhaseRef,
} from '../../../core/action/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';
import type { PatientCalls } from '../../operation/index.ts';
import { readObject } from '../../runtime/objects/index.ts';

/** One action of a set with its Blueprint's instructions; or why there are none. */
export type PlannedAction = { spec: ActionSpec; action: BlueprintAction } | { spec: ActionSpec; problem: string };

export interface PlanDeps {
  kube: Kube;
  api: PatientCalls;
  signal: AbortSignal;
  namespace: string;
}

/** Each Blueprint is read once, however many actions use it. */
export async function readPlan(specs: readonly ActionSpec[], deps: PlanDeps): Promise<PlannedAction[]> {
  const read = new Map<string, Promise<Blueprint | undefined>>();
  const blueprintOf = (name: string): Promise<Blueprint | undefined> => {
    const known = read.get(name) ?? readBlueprint(name, deps);
    read.set(name, known);
    return known;
  };
  return await Promise.all(
    specs.map(async (spec) => {
      const { blueprint = '' } = spec;
      const found = findAction(spec, blueprint === '' ? undefined : await blueprintOf(blueprint));
      return { spec, ...found };
    }),
  );
}

async function readBlueprint(name: string, { kube, api, signal, namespace }: PlanDeps): Promise<Blueprint | undefined> {
  const object = await api.call(() => readObject({ type: Blueprint, namespace, name }, { kube }, signal));
  return object === undefined ? undefined : Blueprint.parse(object).value;
}

export function phaseOf(action: BlueprintAction, { phase }: PhaseRef): BlueprintPhase {
  const found = phase === 'defer' ? action.deferPhase : action.phases?.[phase];
  if (found === undefined) throw new AppError('bug', `the action has no phase ${String(phase)}`);
  return found;
}

/** After a restart: whether a Blueprint is still the one by which the set began. */
export function hasChanged(action: BlueprintAction, status: NonNullable<ActionSetStatus['actions']>[number]): boolean {
  const names = (phases: readonly { name?: string | undefined }[]): string =>
    phases.map(({ name = '' }) => name).join('\n');
  return names(action.phases ?? []) !== names(status.phases ?? []);
}
