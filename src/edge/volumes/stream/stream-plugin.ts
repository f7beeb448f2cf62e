import { join } from 'node:path';
import { AppError, formatCount } from '../../../base/index.ts';
import { EntryList } from '../entry-list.ts';
import { ExactTree } from '../exact-tree.ts';
import type {
  ArchiveStore,
  DeleteRequest,
  PluginProgress,
  RestoreRequest,
  RestoreResult,
  SnapshotRequest,
  SnapshotResult,
  VolumeCall,
  VolumePlugin,
} from '../port.ts';
import { packTree } from './pack.ts';
import { Unpacker, unpackTree } from './unpack.ts';

export interface StreamDeps {
  store: ArchiveStore;
  /** Where the archive of a volume lies; a snapshot's id is this key. */
  keyOf: (id: string) => string;
  /** A directory for lists. */
  scratch: string;
}

/** Each volume as one `.tar.zst` beside its backup. Nothing has to be installed, and every backup is a full one. */
export class StreamPlugin implements VolumePlugin {
  readonly name = 'stream';
  readonly #deps: StreamDeps;
  readonly #running = new Map<string, () => PluginProgress>();

  constructor(deps: StreamDeps) {
    this.#deps = deps;
  }

  async snapshot(request: SnapshotRequest, call: VolumeCall): Promise<SnapshotResult> {
    const { id, path: root, isVerified = false } = request;
    const { signal, onNote = () => undefined } = call;
    const packing = packTree({ root, isVerified, signal, onNote });
    this.#running.set(id, () => ({ ...packing.progress(), step: 'copying' }));
    const snapshotID = this.#deps.keyOf(id);
    try {
      await this.#deps.store.put(snapshotID, packing.bytes, { signal });
      const { current: _, ...progress } = packing.progress();
      const checksum = packing.checksum();
      return { snapshotID, progress, ...(checksum === undefined ? {} : { checksum }) };
    } finally {
      this.#running.delete(id);
    }
  }

  async restore(request: RestoreRequest, call: VolumeCall): Promise<RestoreResult> {
    const { id, path: root, snapshotID, totalBytes, isVerified = false } = request;
    const { signal, onNote = () => undefined } = call;
    const { body } = await this.#deps.store.get(snapshotID, { signal });
    using kept = isReplacing(request) ? new EntryList(join(this.#deps.scratch, `${id}-kept`)) : undefined;
    const unpacker = new Unpacker({ root, isVerified, totalBytes, onNote, kept });
    this.#running.set(id, () => ({ ...unpacker.progress(), step: 'copying' }));
    try {
      await unpackTree(unpacker, body, signal);
      const removed = kept === undefined ? undefined : await this.#removeExtras(request, kept, unpacker, signal);
      const { current: _, ...progress } = unpacker.progress();
      return {
        progress,
        ...(removed === undefined ? {} : { removed }),
        ...(isVerified ? { checksum: String(unpacker.sum) } : {}),
      };
    } finally {
      this.#running.delete(id);
    }
  }

  /** When all of the archive is there, or when there is no room for it: then what is not in it makes room. */
  async #removeExtras(
    { id, path: root }: RestoreRequest,
    kept: EntryList,
    unpacker: Unpacker,
    signal: AbortSignal,
  ): Promise<number> {
    const onCurrent = (current: string): void => {
      this.#running.set(id, () => ({ ...unpacker.progress(), current, step: 'clearing' }));
    };
    const tree = new ExactTree({ root, folder: join(this.#deps.scratch, `${id}-found`), signal, onCurrent });
    const removed = unpacker.removed + (await tree.removeExtras(kept));
    if (unpacker.full === undefined) return removed;
    if (removed === 0) throw unpacker.full;
    throw madeRoom(unpacker.full, removed);
  }

  async delete({ snapshotIDs }: DeleteRequest, { signal }: VolumeCall): Promise<void> {
    for (const key of snapshotIDs) {
      // Whoever may write VolumePluginBackups must not be able to delete anything else.
      if (!key.endsWith('.tar.zst')) throw new AppError('invalid', `delete the archive of a volume: ${key} is none`);
      await this.#deps.store.delete(key, { signal });
    }
  }

  progress(id: string): Promise<PluginProgress | undefined> {
    return Promise.resolve(this.#running.get(id)?.());
  }
}

/** Whether files that are there are replaced, and those that are not in the archive go. */
function isReplacing({ isExact = false, isBroughtUp = false }: RestoreRequest): boolean {
  return isExact || isBroughtUp;
}

/** Another attempt has more room. */
function madeRoom(full: AppError, removed: number): AppError {
  const text = `${full.message}; ${formatCount(removed)} files that are not in the backup were removed`;
  return new AppError('serverError', text, { cause: full });
}
