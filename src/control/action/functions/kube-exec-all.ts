import { AppError, messageOf, type JsonObject } from '../../../base/index.ts';
import { mergeOutputs, type FunctionStats } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import { runExec } from './run-exec.ts';
import { Thirds } from './thirds.ts';

/** Runs a command in several containers at the same time. */
export class KubeExecAll implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  /** All of them come to their end; then everything that went wrong is told at once. */
  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const [namespace, command] = [args.text('namespace'), args.texts('command')];
    const targets = args
      .names('pods')
      .flatMap((name) => args.names('containers').map((container) => ({ namespace, name, container })));
    const onStarted = (): void => {
      this.#thirds.reach(1);
    };
    const ends = await Promise.allSettled(
      targets.map((pod) => runExec(this.#context, { pod, command, onStarted }, signal)),
    );
    signal.throwIfAborted();
    const problems = ends.flatMap((end, at) => {
      if (end.status === 'fulfilled') return [];
      const { name = '', container = '' } = targets[at] ?? {};
      return [`pod ${name}, container ${container}: ${messageOf(end.reason)}`];
    });
    if (problems.length > 0) throw new AppError('invalid', problems.join('; '));
    this.#thirds.reach(2);
    return mergeOutputs(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])));
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}
