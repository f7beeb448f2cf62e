import { AppError, type JsonObject } from '../../../../base/index.ts';
import { copyStats, type BackupName, type DataOutput, type FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { DataWorks } from './data-work.ts';
import { runOnePod } from './one-pod.ts';
import { claimsOf } from './pods-of-object.ts';
import { mounted, removePod, type DataPod } from './run-in-pod.ts';

/** Restores a backup into volumes, from a pod that mounts them. */
export class RestoreData implements ActionFunction {
  readonly #context: FunctionContext;
  #said: DataOutput | undefined;

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const works = new DataWorks(this.#context);
    const repository = works.repository(args.text('backupArtifactPrefix'));
    const backup = this.#backup();
    const [target, path] = [args.textOr('restorePath', '/'), args.textOr('backupPath', '')];
    return await runOnePod(
      this.#context,
      {
        ...{ works, pod: this.#pod(), what: 'Failed to restore backup' },
        steps: [{ verb: 'restore', repository, backup, target, path }],
        outputs: () => ({}),
        onRead: (said) => {
          this.#said = said;
        },
      },
      signal,
    );
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await removePod(this.#context, this.#pod(), signal);
  }

  stats(): FunctionStats {
    return copyStats([this.#said?.progress], 'down');
  }

  #backup(): BackupName {
    const { args } = this.#context;
    const [tag, id] = [args.optionalText('backupTag'), args.optionalText('backupIdentifier')];
    if ((tag === undefined) === (id === undefined)) {
      throw new AppError('invalid', 'Require one argument: backupTag or backupIdentifier');
    }
    return tag === undefined ? { id: id ?? '' } : { tag };
  }

  #pod(): DataPod {
    const { args } = this.#context;
    const [pod, volumes = {}] = [args.optionalText('pod'), args.textMap('volumes')];
    if ((pod !== undefined) === Object.keys(volumes).length > 0) {
      throw new AppError('invalid', 'Require one argument: pod or volumes');
    }
    return {
      prefix: 'restore-data',
      namespace: args.text('namespace'),
      image: args.text('image'),
      volumes: mounted(pod === undefined ? volumes : claimsOf(this.#context, pod)),
    };
  }
}
