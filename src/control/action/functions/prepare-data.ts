import { AppError, type JsonObject } from '../../../base/index.ts';
import { jobPodSpec, type ActionFacts, type FunctionStats } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { runJob } from './run-job.ts';
import { Thirds } from './thirds.ts';

/** Runs a command in a pod that mounts volumes of the application. As upstream has it, it may fail unless told otherwise. */
export class PrepareData implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const isFailureFine = !this.#context.args.flagOr('failOnError', false);
    return await runJob(this.#context, { pod: this.#pod(), thirds: this.#thirds, isFailureFine }, signal);
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await this.#context.pods.remove(this.#pod(), signal);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  #pod(): FunctionPod {
    const { args, facts } = this.#context;
    const paths = args.textMap('volumes') ?? claimPaths(facts, '/mnt/prepare_data');
    const volumes = Object.fromEntries(Object.entries(paths).map(([claim, path]) => [claim, { path }]));
    return {
      prefix: 'prepare-data-job',
      namespace: args.text('namespace'),
      spec: jobPodSpec({
        ...{ image: args.text('image'), command: args.texts('command'), volumes },
        serviceAccount: args.optionalText('serviceaccount'),
      }),
    };
  }
}

/** All claims of the object, each in a folder of its own. Throws `invalid` where there is none. */
export function claimPaths({ workload, claim }: ActionFacts, folder: string): Record<string, string> {
  const mounted = Object.values(workload?.persistentVolumeClaims ?? {}).flatMap((claims) => Object.keys(claims));
  const names = claim === undefined ? mounted : [claim.name];
  if (names.length === 0) throw new AppError('invalid', 'Failed to get volumes: the object has no claims');
  return Object.fromEntries(names.map((name) => [name, `${folder}/${name}`]));
}
