import { AppError, messageOf, type JsonObject } from '../../../base/index.ts';
import { OutputReader, OutputTail } from '../../../core/action/index.ts';
import type { FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { GivingWay } from './giving-way.ts';
import type { Thirds } from './thirds.ts';

type Outcome = Parameters<FunctionContext['executed']>[0];

const encoder = new TextEncoder();

/** Reads what a command prints: its outputs, and its last lines for the case that it fails. */
export class CommandOutput {
  readonly #reader = new OutputReader();
  readonly #tail = new OutputTail();
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  line(line: string): void {
    const bytes = encoder.encode(`${line}\n`);
    this.#reader.push(bytes);
    this.#tail.push(bytes);
    this.#tell(line);
  }

  /** Throws `invalid` for a marker without a pair behind it. */
  outputs(): Record<string, string> {
    return this.#reader.finish();
  }

  lastLines(): string {
    return this.#tail.lines().join('\n');
  }
}

/**
 * Runs a pod whose program prints the outputs of the phase, in thirds. How it ended is stored before the pod goes.
 * `isFailureFine` is for a program that may fail without making the phase fail.
 */
export async function runJob(
  context: FunctionContext,
  { pod, thirds, isFailureFine = false }: { pod: FunctionPod; thirds: Thirds; isFailureFine?: boolean },
  signal: AbortSignal,
): Promise<JsonObject> {
  const read = new CommandOutput((line) => {
    context.output(line, { namespace: pod.namespace });
  });
  const others = new GivingWay();
  const ended: { outcome: Outcome } = { outcome: { output: {} } };
  await context.pods.run(
    pod,
    {
      onStarted: () => {
        thirds.reach(1);
      },
      onLine: async ({ line }) => {
        read.line(line);
        await others.after(line.length);
      },
      onEnded: async ({ exitCode }) => {
        ended.outcome = exitCode === 0 || isFailureFine ? outputsOf(read) : { reason: failure(exitCode, read) };
        thirds.reach(2);
        await context.executed(ended.outcome);
      },
    },
    signal,
  );
  thirds.reach(3);
  const { outcome } = ended;
  if ('reason' in outcome) throw new AppError('invalid', outcome.reason);
  return outcome.output;
}

function outputsOf(read: CommandOutput): Outcome {
  try {
    return { output: read.outputs() };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

/** With upstream's words in front, which people search for. */
function failure(exitCode: number, read: CommandOutput): string {
  const said = read.lastLines();
  const what = 'Failed while waiting for Pod to complete: Pod failed or did not transition into complete state';
  return `${what}: exit code ${String(exitCode)}${said === '' ? '' : `: ${said}`}`;
}
