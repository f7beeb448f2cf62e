import { ActionSet } from '../../api/index.ts';
import { messageOf, type Clock } from '../../base/index.ts';
import {
  admissionProblems,
  previewPhase,
  problemText,
  type BlueprintPhase,
  type PhasePreview,
} from '../../core/action/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { NO_WAIT, patienceOf } from '../operation/index.ts';
import { ActionPhases } from './engine/phase-facts.ts';
import { readPlan, type PlannedAction } from './engine/plan.ts';
import { readFacts } from './params/read-facts.ts';
import { renderingOf } from './params/rendering.ts';

export interface ActionPreview {
  action: string;
  blueprint: string;
  phases: PhasePreview[];
}

/** What a set would do, as far as it is known before it runs. No value of a Secret is in it. */
export interface SetPreview {
  /** Why it would be refused. */
  problems: string[];
  actions: ActionPreview[];
}

export interface PreviewDeps {
  kube: KubeClient;
  clock: Clock;
  random: () => number;
}

const PATIENCE_MS = 5_000;

/** Renders every phase of a set that need not exist; creates nothing. */
export async function previewSet(object: KubeObject, deps: PreviewDeps, signal: AbortSignal): Promise<SetPreview> {
  const set = ActionSet.parse(object).value;
  const { namespace = '' } = object.metadata;
  const api = patienceOf({ wait: () => NO_WAIT }, deps, PATIENCE_MS).until(signal);
  const read = { kube: deps.kube, api, signal, namespace };
  const plan = await readPlan(set.spec.actions ?? [], read);
  const previews = await Promise.all(plan.map((planned) => previewAction(planned, { ...deps, read, signal })));
  return {
    problems: previews.flatMap(({ problems }) => problems),
    actions: previews.flatMap(({ preview }) => (preview === undefined ? [] : [preview])),
  };
}

type ReadDeps = Parameters<typeof readPlan>[1];

async function previewAction(
  planned: PlannedAction,
  { clock, read }: PreviewDeps & { read: ReadDeps; signal: AbortSignal },
): Promise<{ problems: string[]; preview?: ActionPreview }> {
  if ('problem' in planned) return { problems: [planned.problem] };
  const { spec, action } = planned;
  const known = admissionProblems(spec, action).map(problemText);
  const time = new Date(clock.now()).toISOString();
  const { inputs, problems } = await readFacts(spec, { ...read, time, isMasked: true });
  const all = [...known, ...problems];
  if (inputs === undefined) return { problems: all };
  const where = { blueprint: spec.blueprint, action: spec.name };
  const phases = new ActionPhases();
  const every: { phase: BlueprintPhase; isDefer: boolean }[] = [
    ...(action.phases ?? []).map((phase) => ({ phase, isDefer: false })),
    ...(action.deferPhase === undefined ? [] : [{ phase: action.deferPhase, isDefer: true }]),
  ];
  const begun = { phases: (action.phases ?? []).map(({ name = '' }) => ({ name, state: 'running' as const })) };
  const shown: PhasePreview[] = [];
  for (const { phase, isDefer } of every) {
    const at = { ...where, phase: phase.name };
    const rendering = (): ReturnType<typeof renderingOf> =>
      renderingOf(phases.facts(inputs.facts, begun), at, clock, { isMasked: true });
    try {
      await phases.fetch(phase, isDefer, rendering(), read);
    } catch (error) {
      all.push(messageOf(error));
    }
    const { name = '', func = '', args = {} } = phase;
    shown.push(previewPhase({ name, func, args }, rendering()));
  }
  return { problems: all, preview: { action: spec.name ?? '', blueprint: spec.blueprint ?? '', phases: shown } };
}
