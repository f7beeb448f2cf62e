import { stringifyJson, type Json, type JsonObject } from '../../../base/index.ts';
import { functionNamed } from '../functions/table.ts';
import { Renderer, type RenderProblem, type Rendering } from './render.ts';
import { whereText } from './where.ts';

/** What a dry run tells about one argument. */
export type ArgumentPreview =
  | { value: Json }
  /** It depends on what an earlier phase returns. */
  | { waitsFor: string }
  | { problems: string[] };

export interface PhasePreview {
  phase: string;
  function: string;
  arguments: Record<string, ArgumentPreview>;
}

const EARLIER = /\.(?:Phases\b|DeferPhase\b)/;
const PHASE_NAME = /\.Phases\.(\w+)/;

/** The arguments of a phase as far as they are known before anything has run. */
export function previewPhase(
  phase: { name: string; func: string; args: Readonly<JsonObject> },
  rendering: Rendering,
): PhasePreview {
  const isRendered = functionNamed(phase.func)?.rendersArguments ?? true;
  const previews = Object.entries(phase.args).map(([name, value]): [string, ArgumentPreview] => {
    if (!isRendered) return [name, { value: value ?? null }];
    const renderer = new Renderer(rendering);
    const rendered = renderer.value(value ?? null, name);
    if (renderer.problems.length === 0) return [name, { value: rendered }];
    return [name, explained(renderer.problems, value ?? null)];
  });
  return { phase: phase.name, function: phase.func, arguments: Object.fromEntries(previews) };
}

/** A name that is missing among the phases is no mistake: it is not known yet. */
function explained(problems: readonly RenderProblem[], value: Json): ArgumentPreview {
  const isWaiting = problems.every(({ problem }) => problem?.kind === 'run' && EARLIER.test(problem.source ?? ''));
  if (!isWaiting) return { problems: problems.map(({ where, message }) => `${whereText(where)}: ${message}`) };
  const phase = PHASE_NAME.exec(stringifyJson(value))?.[1];
  return { waitsFor: phase === undefined ? 'what an earlier phase returns' : `what phase ${phase} returns` };
}
