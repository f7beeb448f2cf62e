import type { JsonObject } from '../../../base/index.ts';
import type { FunctionStats } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import { runExec } from './run-exec.ts';
import { Thirds } from './thirds.ts';

/** Runs a command in a container that runs already. */
export class KubeExec implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const container = args.optionalText('container');
    const pod = {
      namespace: args.text('namespace'),
      name: args.text('pod'),
      ...(container === undefined ? {} : { container }),
    };
    const onStarted = (): void => {
      this.#thirds.reach(1);
    };
    const outputs = await runExec(this.#context, { pod, command: args.texts('command'), onStarted }, signal);
    this.#thirds.reach(2);
    return outputs;
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}
