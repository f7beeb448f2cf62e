import { AppError, type JsonObject } from '../../../../base/index.ts';
import { resticSize, type DataOutput, type DataStep, type FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { Thirds } from '../thirds.ts';
import { DataWorks, OUTPUT_VERSION, TOOLS_IMAGE } from './data-work.ts';
import { runOnePod } from './one-pod.ts';
import { removePod, type DataPod } from './run-in-pod.ts';

interface Question {
  prefix: string;
  namespace: string;
  what: string;
  step: (works: DataWorks) => DataStep;
  outputs: (said: DataOutput) => JsonObject;
}

/** Asks a repository something, from a pod of its own. */
class Asking implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #question: Question;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext, question: Question) {
    this.#context = context;
    this.#question = question;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { step, what, outputs } = this.#question;
    const works = new DataWorks(this.#context);
    const one = { works, pod: this.#pod(), steps: [step(works)], what, outputs, thirds: this.#thirds };
    return await runOnePod(this.#context, one, signal);
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await removePod(this.#context, this.#pod(), signal);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  #pod(): DataPod {
    const { prefix, namespace } = this.#question;
    return { prefix, namespace, image: this.#context.args.textOr('image', TOOLS_IMAGE) };
  }
}

/** Tells the size of a backup. */
export function backupDataStats(context: FunctionContext): ActionFunction {
  const { args } = context;
  const mode = args.textOr('statsMode', 'restore-size');
  return new Asking(context, {
    prefix: 'backup-data-stats',
    namespace: args.text('namespace'),
    what: 'Failed to get backup stats',
    step: (works) => ({
      ...{ verb: 'measure', id: args.text('backupID'), mode },
      repository: works.repository(args.text('backupArtifactPrefix')),
    }),
    outputs: ({ measured }) => {
      if (measured === undefined) throw new AppError('invalid', 'Failed to parse snapshot stats from logs');
      const { files, bytes } = measured;
      return { mode, fileCount: String(files), size: resticSize(bytes), version: OUTPUT_VERSION };
    },
  });
}

/** Tells whether a repository is there and its password right; a store that does not answer is a failure. */
export function checkRepository(context: FunctionContext): ActionFunction {
  const { args, namespace } = context;
  return new Asking(context, {
    prefix: 'check-repository',
    namespace,
    what: 'Failed to check the repository',
    step: (works) => ({ verb: 'check', repository: works.repository(args.text('backupArtifactPrefix')) }),
    outputs: ({ state }) => {
      if (state === undefined) throw new AppError('invalid', 'the program did not say how the repository is');
      return {
        passwordIncorrect: String(state === 'locked'),
        repoUnavailable: String(state === 'missing'),
        version: OUTPUT_VERSION,
      };
    },
  });
}
