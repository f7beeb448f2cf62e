import { AppError } from '../../../base/index.ts';
import {
  endOfMover,
  newMoverReport,
  readMover,
  type MoverCompleted,
  type MoverJob,
  type MoverReport,
} from '../../../core/volumes/index.ts';
import type {
  DeleteRequest,
  ListRequest,
  PluginProgress,
  RemoteArchiveStore,
  RestoreRequest,
  RestoreResult,
  SnapshotRequest,
  SnapshotResult,
  VolumeCall,
  VolumePlugin,
} from '../port.ts';

/** A mover that was started, or one that ran already and was found again. */
export interface RunningMover {
  /** What it prints, line by line, from its beginning or from where somebody looks again. Ends when the mover does. */
  lines: AsyncIterable<string>;
  /** The archive of a volume, for a job of `stream` that makes one. */
  output: AsyncIterable<Uint8Array>;
  /** Its exit code; undefined if it was killed. Rejects when that cannot be learned. */
  ended: Promise<number | undefined>;
}

/**
 * Runs a mover beside a volume. When the signal is aborted the mover is asked to end, and `ended` waits for that.
 * `input` is the archive for a job of `stream` that restores one.
 */
export type StartMover = (
  job: MoverJob,
  call: { signal: AbortSignal; input?: AsyncIterable<Uint8Array> | undefined },
) => Promise<RunningMover>;

export interface RemoteDeps {
  name: string;
  start: StartMover;
  /** How the plugin's requests become jobs: where the volume is mounted, which repository. */
  jobs: {
    snapshot(request: SnapshotRequest): MoverJob;
    restore(request: RestoreRequest): MoverJob;
    /** Absent where nothing has to be run: the archive of a volume is an object of the store. */
    delete?(request: DeleteRequest): MoverJob;
    list?(request: ListRequest): MoverJob;
  };
  /** Where archives go, for `stream`. */
  archives?: { store: RemoteArchiveStore; keyOf: (id: string) => string } | undefined;
}

/** A plugin whose work is done by a mover somewhere else. What it prints is believed as far as it can be true. */
export class RemotePlugin implements VolumePlugin {
  readonly name: string;
  readonly #deps: RemoteDeps;
  readonly #reports = new Map<string, MoverReport>();

  constructor(deps: RemoteDeps) {
    this.name = deps.name;
    this.#deps = deps;
  }

  async snapshot(request: SnapshotRequest, call: VolumeCall): Promise<SnapshotResult> {
    const { archives } = this.#deps;
    const key = archives?.keyOf(request.id);
    const { end, progress } = await this.#run(this.#deps.jobs.snapshot(request), call, async (mover, signal) => {
      if (archives !== undefined && key !== undefined) await archives.store.put(key, provenWhole(mover), { signal });
    });
    const snapshotID = key ?? end.snapshotID;
    if (snapshotID === undefined)
      throw new AppError('badAnswer', 'copy a volume: the mover gave no id of its snapshot');
    return { snapshotID, progress, ...checksumOf(end) };
  }

  async restore(request: RestoreRequest, call: VolumeCall): Promise<RestoreResult> {
    const { archives, jobs } = this.#deps;
    const { signal } = call;
    await archives?.store.head(request.snapshotID, { signal });
    const input = archives === undefined ? undefined : archiveAt(archives.store, request.snapshotID, signal);
    const { end, progress } = await this.#run(jobs.restore(request), call, () => Promise.resolve(), input);
    return { progress, ...checksumOf(end), ...(end.filesRemoved === undefined ? {} : { removed: end.filesRemoved }) };
  }

  async delete(request: DeleteRequest, call: VolumeCall): Promise<void> {
    const { archives, jobs } = this.#deps;
    if (jobs.delete !== undefined) await this.#run(jobs.delete(request), call, () => Promise.resolve());
    for (const key of archives === undefined ? [] : request.snapshotIDs) await archives?.store.delete(key, call);
  }

  /** The files of a snapshot, given to `keep` as they come, as lines of JSON. */
  async list(
    request: ListRequest,
    call: VolumeCall,
    keep: (list: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void> {
    const job = this.#deps.jobs.list?.(request);
    if (job === undefined) throw new AppError('bug', `the mover of ${request.id} was not asked for a list`);
    await this.#run(job, call, (mover) => keep(mover.output));
  }

  progress(id: string): Promise<PluginProgress | undefined> {
    const report = this.#reports.get(id);
    if (report === undefined) return Promise.resolve(undefined);
    const { progress = { bytesDone: 0 }, step, current } = report;
    return Promise.resolve({ ...progress, step, current });
  }

  async #run(
    job: MoverJob,
    { signal, onNote }: VolumeCall,
    carry: (mover: RunningMover, signal: AbortSignal) => Promise<void>,
    input?: AsyncIterable<Uint8Array>,
  ): Promise<{ end: MoverCompleted; progress: SnapshotResult['progress'] }> {
    let report = newMoverReport(job.id);
    this.#reports.set(job.id, report);
    // Whatever fails first ends the rest.
    const broken = new AbortController();
    const both = AbortSignal.any([signal, broken.signal]);
    try {
      const mover = await this.#deps.start(job, { signal: both, input });
      const reading = (async () => {
        for await (const line of mover.lines) {
          const before = report;
          report = readMover(before, line);
          this.#reports.set(job.id, report);
          for (const note of report.notes.slice(before.notes.length)) onNote?.(note);
        }
      })();
      const carrying = carry(mover, both);
      for (const work of [reading, carrying])
        work.catch((error: unknown) => {
          broken.abort(error);
        });
      const exitCode = await mover.ended;
      await reading;
      signal.throwIfAborted();
      // The mover's own words say more than that its archive ended early.
      if (report.end?.line === 'failed') endOfMover(report, exitCode);
      await carrying;
      const end = endOfMover(report, exitCode);
      return { end, progress: report.progress ?? { bytesDone: 0 } };
    } catch (error) {
      signal.throwIfAborted();
      throw broken.signal.aborted && report.end?.line !== 'failed' ? broken.signal.reason : error;
    } finally {
      this.#reports.delete(job.id);
    }
  }
}

/** An archive whose mover failed must not become an object, even if its bytes ended well. */
async function* provenWhole({ output, ended }: RunningMover): AsyncGenerator<Uint8Array> {
  yield* output;
  const exitCode = await ended;
  if (exitCode !== 0) throw new AppError('serverError', 'store the archive of a volume: its mover failed');
}

/** Opened when the mover reads: its pod may take minutes to start, or never come, and nobody would close what is open. */
async function* archiveAt(store: RemoteArchiveStore, key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { body } = await store.get(key, { signal });
  yield* body;
}

function checksumOf({ checksum }: MoverCompleted): { checksum?: string } {
  return checksum === undefined ? {} : { checksum };
}
