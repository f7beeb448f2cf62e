import { AppError } from '../../../../base/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { abortUploads, backupKeys, type Store } from '../../../../edge/store/index.ts';
import type { Operation } from '../../../operation/index.ts';
import type { ControlDeps } from '../../ports.ts';
import type { MoverLocation } from '../../../volumes/index.ts';
import type { LocationStore } from '../../stores/index.ts';
import { removeFiles } from './files.ts';
import { readMetadata, type StoredBackup } from './metadata.ts';

/** The folder of one backup in its store; once claimed, it belongs to that backup alone. */
export class BackupFolder implements Disposable {
  readonly #backup: KubeObject;
  readonly #operation: Operation;
  readonly #stores: ControlDeps['stores'];
  #opened: LocationStore | undefined;
  #isOurs = false;

  constructor(operation: Operation, stores: ControlDeps['stores']) {
    this.#backup = operation.object;
    this.#operation = operation;
    this.#stores = stores;
  }

  get isOurs(): boolean {
    return this.#isOurs;
  }

  /** Waits while the store is unreachable. */
  get store(): Store {
    if (this.#opened === undefined) throw new AppError('bug', 'the store of a backup is used before it was opened');
    return this.#operation.patient(this.#opened.store);
  }

  /**
   * Overwrites nothing of another backup, and leaves nothing of an earlier attempt. If a complete backup is stored, for
   * which the last process only failed to write the status, that is returned.
   */
  async claim(location: string, signal: AbortSignal): Promise<StoredBackup | undefined> {
    const { name, uid = '' } = this.#backup.metadata;
    this.#opened ??= await this.#operation.api(signal).call(() => this.#stores.open(location, signal));
    const { where } = this.#opened.store;
    const stored = await readMetadata(this.store, name, signal);
    if (stored !== undefined && stored.uid !== uid) {
      throw new AppError('alreadyExists', `backup ${name} already exists in object storage (${where})`);
    }
    this.#isOurs = true;
    if (stored?.isEnded === true) return stored;
    if (this.#operation.attempt > 1) await this.#empty(this.store, signal, isVolume);
    return undefined;
  }

  /** Removes what was uploaded, so that nothing looks like a backup; the log stays if it is wanted. */
  async clear(log: (() => AsyncIterable<Uint8Array>) | undefined, signal: AbortSignal): Promise<void> {
    if (this.#opened === undefined || !this.#isOurs) return;
    const { store } = this.#opened;
    await this.#empty(store, signal);
    if (log !== undefined) await store.put(backupKeys(this.#backup.metadata.name).logs, log, { signal });
  }

  [Symbol.dispose](): void {
    this.#opened?.[Symbol.dispose]();
  }

  /** For movers, which take or bring data by themselves. */
  moverLocation(): MoverLocation {
    if (this.#opened === undefined) throw new AppError('bug', 'the store of a backup is used before it was opened');
    const opened = this.#opened;
    const { location } = opened;
    const { provider, objectStorage, config } = location.spec;
    const { bucket, prefix } = objectStorage;
    return {
      name: location.metadata.name ?? '',
      provider,
      bucket,
      prefix,
      config,
      access: () => opened.access(),
      store: this.store,
    };
  }

  async #empty(store: Store, signal: AbortSignal, isKept: (key: string) => boolean = () => false): Promise<void> {
    const { name } = this.#backup.metadata;
    await abortUploads(store, backupKeys(name).folder, { signal });
    await removeFiles(store, name, { signal, isKept });
  }
}

/** The archive of a volume, which the next attempt need not copy again. */
function isVolume(key: string): boolean {
  return /^backups\/[^/]+\/volumes\/[^/]+\.tar\.zst$/.test(key);
}
