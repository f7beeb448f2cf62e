import { stringifyJson, type JsonObject } from '../../../base/index.ts';
import type { ActionSetStatus, ActionStatus, PhaseRef } from '../../../core/action/index.ts';

/** Outputs of all phases together; more would not fit into the object, of which etcd takes 1.5 MiB. */
const MAX_OUTPUT_BYTES = 900 * 1024;
/** With artifacts, which may repeat the outputs. */
const MAX_ACTIONS_BYTES = 1300 * 1024;

/** Why the set cannot keep this output of a phase; undefined if it can. */
export function outputProblem(status: ActionSetStatus, ref: PhaseRef, output: JsonObject): string | undefined {
  const others = (status.actions ?? []).flatMap((action, index) => outputsBeside(action, index, ref));
  const size = [output, ...others].reduce((sum, each) => sum + bytesOf(each), 0);
  if (size <= MAX_OUTPUT_BYTES) return undefined;
  return `the outputs of all phases together are larger than ${String(MAX_OUTPUT_BYTES)} bytes`;
}

/** Why the status of a set that ends cannot be written; undefined if it can. */
export function artifactsProblem({ actions = [] }: ActionSetStatus): string | undefined {
  if (bytesOf(actions) <= MAX_ACTIONS_BYTES) return undefined;
  return `outputs and artifacts together are larger than ${String(MAX_ACTIONS_BYTES)} bytes, so the artifacts are not kept`;
}

/** Without that of the phase itself, of which an earlier write may have some. */
function outputsBeside({ phases = [], deferPhase }: ActionStatus, index: number, ref: PhaseRef): JsonObject[] {
  const isRef = (phase: PhaseRef['phase']): boolean => ref.action === index && ref.phase === phase;
  const outputs = phases.map((phase, number) => (isRef(number) ? undefined : phase.output));
  return [...outputs, isRef('defer') ? undefined : deferPhase?.output].filter((each) => each !== undefined);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(stringifyJson(value));
}
