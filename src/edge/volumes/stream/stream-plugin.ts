import { AppError } from '../../../base/index.ts';
import { emptyDirectory } from '../empty-directory.ts';
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
    const { id, path: root, snapshotID, totalBytes, isVerified = false, isExact = false } = request;
    const { signal, onNote = () => undefined } = call;
    const { body } = await this.#deps.store.get(snapshotID, { signal });
    if (isExact) emptyDirectory(root);
    const unpacker = new Unpacker({ root, isVerified, totalBytes, onNote });
    this.#running.set(id, () => ({ ...unpacker.progress(), step: 'copying' }));
    try {
      await unpackTree(unpacker, body, signal);
      const { current: _, ...progress } = unpacker.progress();
      return { progress, ...(isVerified ? { checksum: String(unpacker.sum) } : {}) };
    } finally {
      this.#running.delete(id);
    }
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
