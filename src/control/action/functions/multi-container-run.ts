import type { JsonObject } from '../../../base/index.ts';
import { OUTPUT_CONTAINER, pairPodSpec, spreadOverride, type FunctionStats } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { runJob } from './run-job.ts';
import { Thirds } from './thirds.ts';

/** Runs two commands side by side in one pod, with a directory that both see. */
export class MultiContainerRun implements ActionFunction {
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
    const initImage = args.optionalText('initImage');
    return {
      prefix: 'kanister-job',
      namespace: args.textOr('namespace', namespace),
      container: OUTPUT_CONTAINER,
      annotations: { 'kubectl.kubernetes.io/default-container': OUTPUT_CONTAINER },
      adaptOverride: spreadOverride,
      spec: pairPodSpec({
        output: { image: args.text('outputImage'), command: args.texts('outputCommand') },
        background: { image: args.text('backgroundImage'), command: args.texts('backgroundCommand') },
        init:
          initImage === undefined ? undefined : { image: initImage, command: args.optionalTexts('initCommand') ?? [] },
        shared: {
          path: args.textOr('sharedVolumeDir', '/tmp/'),
          medium: args.optionalText('sharedVolumeMedium'),
          sizeLimit: args.optionalText('sharedVolumeSizeLimit'),
        },
      }),
    };
  }
}
