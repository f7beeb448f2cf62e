import { AppError, messageOf, type JsonObject } from '../../../../base/index.ts';
import {
  copyStats,
  formatBackupInfo,
  type BackupInfo,
  type DataOutput,
  type FunctionStats,
} from '../../../../core/action/index.ts';
import { inParallel } from '../../../runtime/objects/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { backupOutputs } from './backup-outputs.ts';
import { DataLines } from './data-lines.ts';
import { DataWorks, OUTPUT_VERSION } from './data-work.ts';
import { outcomeOf } from './one-pod.ts';
import { podsOf } from './pods-of-object.ts';
import { runInContainer } from './run-in-container.ts';

/** Pods whose data is copied at the same time. */
const AT_ONCE = 16;

/** Backs up a directory of a container, by a program in that container. */
export class BackupData implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #copies = new Map<string, DataOutput>();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const works = new DataWorks(this.#context);
    const prefix = args.text('backupArtifactPrefix');
    return await backUp(this.#context, { works, pod: args.text('pod'), prefix, copies: this.#copies }, signal);
  }

  stats(): FunctionStats {
    return copyStats(progressOf(this.#copies, 1), 'up');
  }
}

/** The same for several pods at the same time, each into a repository of its own. */
export class BackupDataAll implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #copies = new Map<string, DataOutput>();
  #count = 1;

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const works = new DataWorks(this.#context);
    const pods = podsOf(this.#context, 'Failed to get pods');
    this.#count = pods.length;
    const infos: BackupInfo[] = [];
    const failures: string[] = [];
    await inParallel(pods, AT_ONCE, async (pod) => {
      try {
        const prefix = `${args.text('backupArtifactPrefix')}/${pod}`;
        const { backupID = '', backupTag = '' } = await backUp(
          this.#context,
          { works, pod, prefix, copies: this.#copies },
          signal,
        );
        infos.push({ podName: pod, backupId: backupID, backupTag });
      } catch (error) {
        signal.throwIfAborted();
        failures.push(`Failed to backup data for pod ${pod}: ${messageOf(error)}`);
      }
    });
    if (failures.length > 0) throw new AppError('invalid', failures.join('\n'));
    return { BackupAllInfo: formatBackupInfo(infos), version: OUTPUT_VERSION };
  }

  stats(): FunctionStats {
    return copyStats(progressOf(this.#copies, this.#count), 'up');
  }
}

interface PodBackup {
  works: DataWorks;
  pod: string;
  prefix: string;
  copies: Map<string, DataOutput>;
}

async function backUp(
  context: FunctionContext,
  { works, pod, prefix, copies }: PodBackup,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const { args } = context;
  const tag = works.tag(pod);
  const work = await works.work(
    [{ verb: 'backup', repository: works.repository(prefix), path: args.text('includePath'), tag }],
    signal,
    pod,
  );
  const target = { namespace: args.text('namespace'), name: pod, container: args.text('container') };
  const lines = new DataLines(context, work, { namespace: target.namespace, exec: pod });
  copies.set(pod, lines.output);
  const exitCode = await runInContainer(context, { pod: target, work, lines }, signal);
  const what = 'Failed to backup data: Failed to create and upload backup';
  const outcome = outcomeOf(lines.output, { exitCode, what, outputs: (said) => backupOutputs(said, tag) });
  if ('reason' in outcome) throw new AppError('invalid', outcome.reason);
  return outcome.output as Record<string, string>;
}

function progressOf(copies: ReadonlyMap<string, DataOutput>, count: number) {
  const known = [...copies.values()].map(({ progress }) => progress);
  return [...known, ...Array.from({ length: Math.max(0, count - known.length) }, () => undefined)];
}
