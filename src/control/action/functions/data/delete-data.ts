import { AppError, type JsonObject } from '../../../../base/index.ts';
import { parseBackupInfo, type DataStep, type FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { Thirds } from '../thirds.ts';
import { DataWorks, TOOLS_IMAGE } from './data-work.ts';
import { runOnePod } from './one-pod.ts';
import { removePod, type DataPod } from './run-in-pod.ts';

/** Deletes backups from their repositories, one after the other in one pod. */
class Deleting implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #prefix: string;
  readonly #steps: (works: DataWorks) => DataStep[];
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext, prefix: string, steps: (works: DataWorks) => DataStep[]) {
    this.#context = context;
    this.#prefix = prefix;
    this.#steps = steps;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const works = new DataWorks(this.#context);
    return await runOnePod(
      this.#context,
      {
        ...{ works, pod: this.#pod(), steps: this.#steps(works), thirds: this.#thirds },
        what: 'Failed to forget data',
        outputs: ({ freedBytes }) => ({ spaceFreed: `${String(freedBytes)} B` }),
      },
      signal,
    );
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await removePod(this.#context, this.#pod(), signal);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  #pod(): DataPod {
    const { args } = this.#context;
    return { prefix: this.#prefix, namespace: args.text('namespace'), image: args.textOr('image', TOOLS_IMAGE) };
  }
}

/** Deletes one backup. */
export function deleteData(context: FunctionContext): ActionFunction {
  const { args } = context;
  return new Deleting(context, 'delete-data', (works) => {
    const [id, tag] = [args.optionalText('backupID'), args.optionalText('backupTag')];
    if ((id === undefined) === (tag === undefined)) {
      throw new AppError('invalid', 'Require one argument: backupID or backupTag');
    }
    const repository = works.repository(args.text('backupArtifactPrefix'));
    const backup = tag === undefined ? { id: id ?? '' } : { tag };
    return [{ verb: 'forget', repository, backup, isReclaimed: args.flagOr('reclaimSpace', false) }];
  });
}

/** Deletes what BackupDataAll has made. */
export function deleteDataAll(context: FunctionContext): ActionFunction {
  const { args } = context;
  return new Deleting(context, 'delete-data-all', (works) =>
    parseBackupInfo(args.text('backupInfo')).map(({ podName, backupId }) => ({
      verb: 'forget',
      repository: works.repository(`${args.text('backupArtifactPrefix')}/${podName}`),
      backup: { id: backupId },
      isReclaimed: args.flagOr('reclaimSpace', false),
    })),
  );
}
