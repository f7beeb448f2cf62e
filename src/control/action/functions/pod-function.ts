import type { JsonObject } from '../../../base/index.ts';
import type { FunctionStats } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { runJob } from './run-job.ts';
import { Thirds } from './thirds.ts';

/** Which pod a function runs; made anew from its arguments, and the same each time. */
type PodOf = (context: FunctionContext) => FunctionPod;

/** A function whose whole work is one pod that runs to its end. */
export class PodFunction implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #podOf: PodOf;
  readonly #isFailureFine: () => boolean;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext, podOf: PodOf, isFailureFine = (): boolean => false) {
    this.#context = context;
    this.#podOf = podOf;
    this.#isFailureFine = isFailureFine;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const job = { pod: this.#podOf(this.#context), thirds: this.#thirds, isFailureFine: this.#isFailureFine() };
    return await runJob(this.#context, job, signal);
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await this.#context.pods.remove(this.#podOf(this.#context), signal);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}
