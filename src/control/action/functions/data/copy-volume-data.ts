import { PERSISTENT_VOLUME_CLAIM } from '../../../../api/index.ts';
import { AppError, isObjectName, valueAt, type JsonObject } from '../../../../base/index.ts';
import { copyStats, type DataOutput, type FunctionStats } from '../../../../core/action/index.ts';
import { readObject } from '../../../runtime/objects/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { backupOutputs } from './backup-outputs.ts';
import { DataWorks, TOOLS_IMAGE } from './data-work.ts';
import { runOnePod } from './one-pod.ts';
import { removePod, type DataPod } from './run-in-pod.ts';

/** Backs up a volume from a pod that mounts it. */
export class CopyVolumeData implements ActionFunction {
  readonly #context: FunctionContext;
  #said: DataOutput | undefined;

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const works = new DataWorks(this.#context);
    const repository = works.repository(args.text('dataArtifactPrefix'));
    const path = this.#mountPath();
    const tag = works.tag();
    const pod = this.#pod(await this.#isReadOnly(signal));
    return await runOnePod(
      this.#context,
      {
        ...{ works, pod, what: 'Failed to create and upload backup' },
        steps: [{ verb: 'backup', repository, path, tag }],
        outputs: (said) => ({
          ...backupOutputs(said, tag),
          backupRoot: path,
          backupArtifactLocation: repository.location,
        }),
        onRead: (said) => {
          this.#said = said;
        },
      },
      signal,
    );
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    await removePod(this.#context, this.#pod(false), signal);
  }

  stats(): FunctionStats {
    return copyStats([this.#said?.progress], 'up');
  }

  #mountPath(): string {
    const { args } = this.#context;
    const path = args.textOr('mountPath', `/mnt/vol_data/${args.text('volume')}`);
    if (path.startsWith('/')) return path;
    throw new AppError('invalid', `mountPath: expected an absolute path, got "${path}"`);
  }

  #pod(isReadOnly: boolean): DataPod {
    const { args } = this.#context;
    return {
      prefix: 'copy-vol-data',
      namespace: args.text('namespace'),
      image: args.textOr('image', TOOLS_IMAGE),
      volumes: { [args.text('volume')]: { path: this.#mountPath(), isReadOnly } },
    };
  }

  /** A claim that can only be read must be mounted so. Throws where there is none. */
  async #isReadOnly(signal: AbortSignal): Promise<boolean> {
    const { args, kube } = this.#context;
    const [namespace, name] = [args.text('namespace'), args.text('volume')];
    const target = { type: PERSISTENT_VOLUME_CLAIM, namespace, name };
    const claim = isObjectName(name)
      ? await this.#context.api(signal).call(() => readObject(target, { kube }, signal))
      : undefined;
    if (claim === undefined) {
      throw new AppError(
        'invalid',
        `Failed to retrieve PVC.: persistentvolumeclaims "${name}" not found in ${namespace}`,
      );
    }
    const modes = valueAt(claim, 'spec', 'accessModes');
    return Array.isArray(modes) && modes.includes('ReadOnlyMany');
  }
}
