import type { JsonObject } from '../../../base/index.ts';
import { jobPodSpec, type FunctionStats } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { runJob } from './run-job.ts';
import { Thirds } from './thirds.ts';

/** Runs a command in a pod of its own. */
export class KubeTask implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    return await runJob(this.#context, { pod: this.#pod(), thirds: this.#thirds }, signal);
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await this.#context.pods.remove(this.#pod(), signal);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  #pod(): FunctionPod {
    const { args, namespace } = this.#context;
    return {
      prefix: 'kanister-job',
      namespace: args.textOr('namespace', namespace),
      spec: jobPodSpec({ image: args.text('image'), command: args.texts('command') }),
    };
  }
}
