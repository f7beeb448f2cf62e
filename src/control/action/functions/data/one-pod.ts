import { AppError, messageOf, type JsonObject } from '../../../../base/index.ts';
import type { DataOutput, DataStep } from '../../../../core/action/index.ts';
import type { FunctionContext } from '../function.ts';
import type { Thirds } from '../thirds.ts';
import { DataLines } from './data-lines.ts';
import type { DataWorks } from './data-work.ts';
import { runInPod, type DataPod } from './run-in-pod.ts';

type Outcome = Parameters<FunctionContext['executed']>[0];

export interface OnePod {
  works: DataWorks;
  pod: DataPod;
  steps: readonly DataStep[];
  /** What the failure of its program is called; upstream's words. */
  what: string;
  /** The outputs of the phase, from what the program said. May throw. */
  outputs: (said: DataOutput) => JsonObject;
  /** Hears what is read, before the first line comes. */
  onRead?: (said: DataOutput) => void;
  thirds?: Thirds;
}

/** Runs the one pod of a data function. How it ended is stored before the pod goes, so that it is not run twice. */
export async function runOnePod(context: FunctionContext, one: OnePod, signal: AbortSignal): Promise<JsonObject> {
  const { works, pod, steps, what, outputs, thirds } = one;
  const work = await works.work(steps, signal);
  const lines = new DataLines(context, work, pod);
  one.onRead?.(lines.output);
  const ended: { outcome: Outcome } = { outcome: { reason: `${what}: the pod has not ended` } };
  await runInPod(
    context,
    {
      ...{ pod, work, lines },
      onStarted: () => {
        thirds?.reach(1);
      },
      onEnded: async (exitCode) => {
        ended.outcome = outcomeOf(lines.output, { exitCode, what, outputs });
        thirds?.reach(2);
        await context.executed(ended.outcome);
      },
    },
    signal,
  );
  thirds?.reach(3);
  const { outcome } = ended;
  if ('reason' in outcome) throw new AppError('invalid', outcome.reason);
  return outcome.output;
}

/** What the end of a program means for the phase. */
export function outcomeOf(
  said: DataOutput,
  { exitCode, what, outputs }: { exitCode: number } & Pick<OnePod, 'what' | 'outputs'>,
): Outcome {
  if (exitCode !== 0 && !isGoodEnough(said, exitCode)) return { reason: `${what}: ${said.problem(exitCode)}` };
  if (exitCode === 0) said.complete();
  try {
    return { output: outputs(said) };
  } catch (error) {
    return { reason: `${what}: ${messageOf(error)}` };
  }
}

/** kopia's exit code is 1 also for a backup that only lacks files which were deleted meanwhile. */
function isGoodEnough(said: DataOutput, exitCode: number): boolean {
  return exitCode === 1 && said.backup !== undefined && said.hasOnlyVanished;
}
