import { AppError, messageOf, type JsonObject } from '../../../../base/index.ts';
import {
  copyStats,
  parseBackupInfo,
  type BackupInfo,
  type DataOutput,
  type FunctionStats,
} from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { DataLines } from './data-lines.ts';
import { DataWorks } from './data-work.ts';
import { outcomeOf } from './one-pod.ts';
import { claimsOf, podsOf } from './pods-of-object.ts';
import { mounted, removePod, runInPod, type DataPod } from './run-in-pod.ts';

/**
 * Restores the backups of several pods at the same time. The pods stay until all have ended: only then it is stored how,
 * and after a restart those that have ended are found again rather than run again.
 */
export class RestoreDataAll implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #copies = new Map<string, DataOutput>();
  #count = 1;

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const works = new DataWorks(this.#context);
    const infos = this.#infos();
    this.#count = infos.length;
    const pods = infos.map((info) => this.#pod(info.podName));
    const ends = infos.map(() => Promise.withResolvers<string | undefined>());
    const all = Promise.all(ends.map(({ promise }) => promise));
    const stored = all.then(async (reasons) => {
      const problems = reasons.filter((reason) => reason !== undefined);
      // Who is told to stop has not ended; the next process finds the pods.
      if (signal.aborted) return problems;
      await this.#context.executed(problems.length === 0 ? { output: {} } : { reason: problems.join('\n') });
      return problems;
    });
    // Where a run is broken off before, nobody waits for it.
    stored.catch(() => undefined);
    const runs = infos.map(async (info, index) => {
      const end = ends[index];
      const pod = pods[index];
      if (end === undefined || pod === undefined) return;
      const told = (reason: string | undefined): void => {
        end.resolve(reason === undefined ? undefined : `Failed to restore data for pod ${info.podName}: ${reason}`);
      };
      try {
        await this.#restore(info, { works, pod, told, stored }, signal);
      } catch (error) {
        told(messageOf(error));
        signal.throwIfAborted();
      }
    });
    await Promise.all(runs);
    const problems = await stored;
    if (problems.length > 0) throw new AppError('invalid', problems.join('\n'));
    return {};
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    for (const { podName } of this.#infos()) await removePod(this.#context, this.#pod(podName), signal);
  }

  stats(): FunctionStats {
    const known = [...this.#copies.values()].map(({ progress }) => progress);
    const unknown = Array.from({ length: Math.max(0, this.#count - known.length) }, () => undefined);
    return copyStats([...known, ...unknown], 'down');
  }

  async #restore(
    { podName, backupId }: BackupInfo,
    {
      works,
      pod,
      told,
      stored,
    }: { works: DataWorks; pod: DataPod; told: (reason?: string) => void; stored: Promise<unknown> },
    signal: AbortSignal,
  ): Promise<void> {
    const { args } = this.#context;
    const repository = works.repository(`${args.text('backupArtifactPrefix')}/${podName}`);
    const target = args.textOr('restorePath', '/');
    const step = { verb: 'restore', repository, backup: { id: backupId }, target, path: '' } as const;
    const work = await works.work([step], signal, podName);
    const lines = new DataLines(this.#context, work, pod);
    this.#copies.set(podName, lines.output);
    const onEnded = async (exitCode: number): Promise<void> => {
      const outcome = outcomeOf(lines.output, { exitCode, what: 'Failed to restore backup', outputs: () => ({}) });
      told('reason' in outcome ? outcome.reason : undefined);
      await stored;
    };
    await runInPod(this.#context, { pod, work, lines, onEnded }, signal);
  }

  #infos(): BackupInfo[] {
    const { args } = this.#context;
    const infos = new Map(parseBackupInfo(args.text('backupInfo')).map((info) => [info.podName, info]));
    return podsOf(this.#context, 'Unsupported workload type').map((pod) => {
      const info = infos.get(pod);
      if (info === undefined) throw new AppError('invalid', `backupInfo: there is no backup of pod ${pod}`);
      return info;
    });
  }

  #pod(name: string): DataPod {
    const { args } = this.#context;
    return {
      prefix: 'restore-data-all',
      namespace: args.text('namespace'),
      image: args.text('image'),
      volumes: mounted(claimsOf(this.#context, name)),
      part: name,
    };
  }
}
