import { objectsAt, textAt, type JsonObject } from '../../base/index.ts';
import { STAGES, type Stage } from '../../api/meta/stages.ts';
import { present, type OperationState, type StepState } from '../progress/index.ts';
import type { OperationStep, StageTime } from './operation.ts';

export function readStages(status: JsonObject): StageTime[] {
  return objectsAt(status, 'stages').flatMap((entry) => {
    const [stage, startedAt] = [textAt(entry, 'stage'), textAt(entry, 'startedAt')];
    if (!isStage(stage) || startedAt === undefined) return [];
    return [present({ stage, startedAt, endedAt: textAt(entry, 'endedAt') })];
  });
}

function isStage(text: string | undefined): text is Stage {
  return (STAGES as readonly (string | undefined)[]).includes(text);
}

/** The stages so far as steps, for kinds that have nothing better. What comes next, only the page guesses. */
export function stageSteps(status: JsonObject, state: OperationState): OperationStep[] {
  const stages = readStages(status);
  return stages.map(({ stage, startedAt, endedAt }, at) =>
    present({
      number: at + 1,
      name: stage,
      state: at < stages.length - 1 ? 'Completed' : LAST[state],
      startedAt,
      endedAt,
      measures: [],
      lines: [],
    }),
  );
}

/** The last stage of an operation that failed or was canceled is where it happened. */
const LAST: Readonly<Record<OperationState, StepState>> = {
  pending: 'Not started',
  running: 'Running',
  completed: 'Completed',
  partiallyFailed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
};
