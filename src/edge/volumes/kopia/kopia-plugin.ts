import { lstatSync } from 'node:fs';
import { AppError, isAppError } from '../../../base/index.ts';
import { leftoversOf, readSnapshots, type CopyProgress, type MoverStep } from '../../../core/volumes/index.ts';
import { present } from '../../../core/progress/index.ts';
import { fileError } from '../file-errors.ts';
import type { NameList } from '../name-list.ts';
import type {
  DeleteRequest,
  ListRequest,
  PluginProgress,
  RestoreRequest,
  RestoreResult,
  SnapshotRequest,
  SnapshotResult,
  VolumeCall,
  VolumePlugin,
} from '../port.ts';
import { KopiaBringUp } from './kopia-bring-up.ts';
import { RecordedChecksums, verifySnapshot } from './kopia-checksums.ts';
import { listSnapshot } from './kopia-list.ts';
import { KopiaProgram, type KopiaDeps } from './kopia-program.ts';
import { maintainRepository, prepareRepository } from './kopia-repository.ts';
import { restoreSnapshot, type KopiaRestoreOptions } from './kopia-restore.ts';
import { takeSnapshot } from './kopia-snapshot.ts';
import { oddFiles, type OddFiles } from './odd-files.ts';

export interface KopiaOptions extends KopiaRestoreOptions {
  /** Create the repository where there is none, and set its rules. */
  isPreparing?: boolean | undefined;
}

/** Somebody waits for the end of what was canceled. */
const CANCELED_MS = 8000;
const FAILED_MS = 120_000;
const LIST = 'list the snapshots of the kopia repository';
const DELETE = 'delete snapshots of the kopia repository';
/** So many ids fit on one command line. */
const AT_ONCE = 500;

/** Volumes in a kopia repository, where and as Velero keeps them, so that each can restore what the other wrote. */
export class KopiaPlugin implements VolumePlugin {
  readonly name = 'kopia';
  readonly #kopia: KopiaProgram;
  readonly #options: KopiaOptions;
  readonly #running = new Map<string, PluginProgress>();

  constructor(deps: KopiaDeps, options: KopiaOptions = {}) {
    this.#kopia = new KopiaProgram(deps);
    this.#options = options;
  }

  async snapshot(request: SnapshotRequest, call: VolumeCall): Promise<SnapshotResult> {
    const { id, path, isVerified = false } = request;
    const { signal, onNote = () => undefined } = call;
    checkDirectory(path);
    const tell = this.#teller(id);
    try {
      const isNew = this.#options.isPreparing === true && (await prepareRepository(this.#kopia, signal));
      const odd = oddFiles(path, signal);
      // It is awaited below, but only if the snapshot succeeds.
      odd.catch(() => undefined);
      const checksums = new RecordedChecksums(this.#kopia);
      const checksum = isVerified ? await checksums.record(path, { signal, onProgress: tell.verified }) : undefined;
      const { parallel } = this.#options;
      const taken = await takeSnapshot(this.#kopia, request, { parallel, signal, onProgress: tell.copied });
      tell.verified(0, '');
      if (checksum !== undefined) await checksums.store(id, request.source, signal);
      const { vanished, snapshotID, progress, isAllNew } = taken;
      // What is in the repository since earlier is not stored again, and may be gone from the store by now.
      if (!isNew && !isAllNew) await verifySnapshot(this.#kopia, snapshotID, signal);
      for (const note of notesOn({ ...keepsNames(await odd), vanished })) onNote(note);
      return { snapshotID, progress, ...(checksum === undefined ? {} : { checksum }) };
    } catch (error) {
      await this.#clearAway(id, error, signal);
      throw error;
    } finally {
      this.#running.delete(id);
    }
  }

  async restore(request: RestoreRequest, call: VolumeCall): Promise<RestoreResult> {
    const { id, path, volumeId, isVerified = false } = request;
    const { signal, onNote = () => undefined } = call;
    checkDirectory(path);
    const tell = this.#teller(id);
    try {
      const restoring = { options: this.#options, signal, onProgress: tell.copied };
      using bringUp =
        request.isBroughtUp === true
          ? new KopiaBringUp(this.#kopia, request, { ...restoring, onCurrent: tell.cleared })
          : undefined;
      const progress = await (bringUp?.write() ?? restoreSnapshot(this.#kopia, request, restoring));
      const checksums = new RecordedChecksums(this.#kopia);
      const comparing = { signal, onProgress: tell.verified, onNote };
      const checksum = isVerified ? await checksums.compare(volumeId, path, comparing) : undefined;
      if (isVerified && checksum === undefined) onNote('not verified: no checksums were recorded with this backup');
      // Last, when everything that should be there is.
      const removed = await bringUp?.removeExtras();
      return present({ progress, checksum, removed });
    } finally {
      this.#running.delete(id);
    }
  }

  async delete({ snapshotIDs, volumes = [] }: DeleteRequest, { signal }: VolumeCall): Promise<void> {
    try {
      const listed = readSnapshots(await this.#kopia.ask(LIST, ['snapshot', 'list', '--all', '--incomplete'], signal));
      const there = new Set(listed.map(({ id }) => id));
      const doomed = new Set(snapshotIDs.filter((id) => there.has(id)));
      for (const volume of volumes) for (const id of leftoversOf(volume, listed)) doomed.add(id);
      await this.#remove([...doomed], signal);
    } catch (error) {
      // Whoever deleted the repository has deleted its snapshots.
      if (!isAppError(error, 'notFound')) throw error;
    }
  }

  progress(id: string): Promise<PluginProgress | undefined> {
    return Promise.resolve(this.#running.get(id));
  }

  async maintain(isFull: boolean, { signal }: VolumeCall): Promise<void> {
    await maintainRepository(this.#kopia, isFull, signal);
  }

  async *list(request: ListRequest, { signal, onNote = () => undefined }: VolumeCall): AsyncGenerator<Uint8Array> {
    const { id } = request;
    const onProgress = (entries: number): void => {
      this.#running.set(id, { bytesDone: 0, filesDone: entries, step: 'listing' });
    };
    try {
      yield* listSnapshot(this.#kopia, request, { signal, onNote, onProgress });
    } finally {
      this.#running.delete(id);
    }
  }

  async #remove(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await this.#kopia.do(DELETE, ['snapshot', 'delete', '--delete', ...ids.slice(at, at + AT_ONCE)], signal);
    }
  }

  /** What is half done or of no use must not stay. */
  async #clearAway(id: string, cause: unknown, canceled: AbortSignal): Promise<void> {
    // Then there is nothing, or nothing that could be done about it.
    if (isAppError(cause, 'notFound', 'unauthenticated', 'unsupported')) return;
    try {
      const signal = canceled.aborted
        ? AbortSignal.timeout(CANCELED_MS)
        : AbortSignal.any([canceled, AbortSignal.timeout(FAILED_MS)]);
      await this.delete({ snapshotIDs: [], volumes: [id] }, { signal });
    } catch {
      // The deletion of the backup, and a later attempt, remove what is tagged with this volume as well.
    }
  }

  #teller(id: string): Teller {
    const set = (change: PluginProgress): void => void this.#running.set(id, change);
    const step = (name: MoverStep): { step: MoverStep } => ({ step: name });
    set({ bytesDone: 0, ...step('connecting') });
    return {
      copied: (now) => {
        set({ ...now, ...step('copying') });
      },
      verified: (bytes, current) => {
        const before = this.#running.get(id) ?? { bytesDone: 0 };
        set({ ...before, bytesVerified: bytes, ...(current === '' ? {} : { current }), ...step('verifying') });
      },
      cleared: (current) => {
        set({ ...(this.#running.get(id) ?? { bytesDone: 0 }), current, ...step('clearing') });
      },
    };
  }
}

interface Teller {
  copied: (now: CopyProgress) => void;
  verified: (bytes: number, current: string) => void;
  cleared: (current: string) => void;
}

function notesOn({ special, renamed, vanished }: OddFiles & { vanished: NameList }): string[] {
  const note = (what: string, names: NameList): string[] =>
    names.count === 0 ? [] : [`${what}: ${names.count === 1 ? '1 file' : `${names.count} files`}: ${String(names)}`];
  return [
    ...note('left out, being no files or links', special),
    ...note('stored under another name, theirs being no UTF-8', renamed),
    ...note('vanished while the volume was read', vanished),
  ];
}

/** Two names that kopia takes for one would become one file, without a word. */
function keepsNames(odd: OddFiles): OddFiles {
  const { twins } = odd;
  if (twins.count === 0) return odd;
  const what = `names that are no UTF-8 look the same to kopia: ${String(twins)}`;
  const hint = 'rename them, or use --uploader stream, which keeps any name';
  throw new AppError('unsupported', `copy the volume with kopia: ${what}`, { details: { hint } });
}

function checkDirectory(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) throw new AppError('invalid', `use the volume at ${path}: it is no directory`);
  } catch (error) {
    throw fileError(`use the volume at ${path}`, error);
  }
}
