import { AppError, assertNever, toAppError, type Clock } from '../../../base/index.ts';
import { present } from '../../../core/progress/index.ts';
import type { MoverCompleted, MoverJob, MoverLine } from '../../../core/volumes/index.ts';
import type { ListRequest, PluginProgress, VolumeCall, VolumePlugin } from '../port.ts';

/** A plugin as a mover needs it. */
export interface MoverPlugin extends VolumePlugin {
  /** Clears away what no snapshot needs. */
  maintain?(isFull: boolean, call: VolumeCall): Promise<void>;
  /** The files of a snapshot, as lines of JSON. */
  list?(request: ListRequest, call: VolumeCall): AsyncIterable<Uint8Array>;
}

export interface MoverDeps {
  plugin: MoverPlugin;
  write: (line: MoverLine) => void;
  /** Where a list goes. */
  print: (list: AsyncIterable<Uint8Array>) => Promise<unknown>;
  clock: Clock;
  signal: AbortSignal;
}

/** Twice a second, so that no reader waits longer than one for news. */
const TICK_MS = 500;

/** Does what the job says and prints how far it is, from the first moment on. Returns the exit code. */
export async function runJob(job: MoverJob, deps: MoverDeps): Promise<number> {
  const { write, signal } = deps;
  const over = new AbortController();
  const ticking = tick(job.id, deps, over.signal);
  try {
    const completed = await work(job, deps);
    over.abort();
    await ticking;
    write(completed);
    return 0;
  } catch (error) {
    over.abort();
    await ticking;
    const failure = failureOf(error, signal);
    write({ line: 'failed', id: job.id, code: failure.code, message: failure.message, ...hintOf(failure) });
    return failure.facts.exitCode;
  }
}

/** Also for a mover that could not even read its job. */
export function failureOf(error: unknown, signal: AbortSignal): AppError {
  return signal.aborted ? new AppError('canceled', 'copy a volume: canceled') : toAppError(error);
}

async function work(job: MoverJob, { plugin, write, print, signal }: MoverDeps): Promise<MoverCompleted> {
  const { id } = job;
  const onNote = (text: string): void => {
    write({ line: 'note', id, text });
  };
  const call: VolumeCall = { signal, onNote };
  const done = { line: 'completed', id, bytesDone: 0 } as const;
  switch (job.kind) {
    case 'snapshot':
      return { ...done, ...(await takeSnapshot(job, plugin, call)) };
    case 'restore':
      return { ...done, ...(await restore(job, plugin, call)) };
    case 'delete':
      if (plugin.delete === undefined) throw unable(plugin, 'delete');
      await plugin.delete({ snapshotIDs: job.snapshotIDs, volumes: job.volumes }, call);
      return done;
    case 'maintain':
      if (plugin.maintain === undefined) throw unable(plugin, 'maintain');
      await plugin.maintain(job.isFull === true, call);
      return done;
    case 'list':
      if (plugin.list === undefined) throw unable(plugin, 'list');
      await print(plugin.list(job, call));
      return done;
    default:
      return assertNever(job, 'kind of a mover job');
  }
}

type Outcome = Partial<MoverCompleted> & Pick<MoverCompleted, 'bytesDone'>;

async function takeSnapshot(
  job: Extract<MoverJob, { kind: 'snapshot' }>,
  plugin: MoverPlugin,
  call: VolumeCall,
): Promise<Outcome> {
  const { id, path, isVerified } = job;
  const isKopia = job.uploader === 'kopia';
  // An archive of its own needs neither: nothing is looked up by them.
  const { source, tags } = isKopia ? job : { source: { namespace: '', pod: '', volume: id }, tags: undefined };
  const { snapshotID, progress, checksum } = await plugin.snapshot({ id, path, source, tags, isVerified }, call);
  const isPrepared = isKopia && job.isPreparing === true ? true : undefined;
  return present({ ...numbers(progress), snapshotID, checksum, isPrepared });
}

async function restore(
  job: Extract<MoverJob, { kind: 'restore' }>,
  plugin: MoverPlugin,
  call: VolumeCall,
): Promise<Outcome> {
  if (plugin.restore === undefined) throw unable(plugin, 'restore');
  const { id, path, totalBytes, isVerified, isExact, isBroughtUp } = job;
  const { snapshotID, volumeId = id } = job.uploader === 'kopia' ? job : { snapshotID: '' };
  const request = { id, path, totalBytes, isVerified, isExact, isBroughtUp, snapshotID, volumeId };
  const { progress, checksum, removed: filesRemoved } = await plugin.restore(request, call);
  return present({ ...numbers(progress), checksum, filesRemoved });
}

function unable({ name }: VolumePlugin, what: string): AppError {
  return new AppError('unsupported', `${what} with the volume plugin ${name}: it cannot do that`);
}

async function tick(id: string, { plugin, write, clock }: MoverDeps, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const now = await plugin.progress?.(id);
    if (over.aborted) return;
    const { step = 'connecting', current, ...copied } = now ?? { bytesDone: 0 };
    write(present({ line: 'progress', id, step, ...numbers(copied), current } as const));
    // Ends early, and without an error, when the work is over.
    await clock.sleep(TICK_MS, over).catch(() => undefined);
  }
}

function numbers(progress: PluginProgress): Outcome {
  const { bytesDone, totalBytes, bytesReused, bytesUploaded, filesDone, bytesVerified } = progress;
  return present({ bytesDone, totalBytes, bytesReused, bytesUploaded, filesDone, bytesVerified });
}

function hintOf({ details }: AppError): { hint?: string } {
  const hint = details?.['hint'];
  return typeof hint === 'string' ? { hint } : {};
}
