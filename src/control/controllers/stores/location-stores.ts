import { BackupStorageLocation, SECRET } from '../../../api/index.ts';
import { AppError, isAppError, isObject, textAt } from '../../../base/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import { openStore, type Store, type StoreDeps, type StoreLocation } from '../../../edge/store/index.ts';

export interface LocationStoresOptions {
  kube: KubeClient;
  namespace: string;
  store: StoreDeps;
}

export interface LocationStore {
  location: BackupStorageLocation;
  /** Shared: nobody but LocationStores closes it. */
  store: Store;
  /** Aborted when the location is gone or says something else: for work that has no other reason to go on. */
  changed: AbortSignal;
}

interface Opened {
  /** Changes with the location's spec and with everything that its Secrets hold. */
  fingerprint: string;
  store: Store;
  changed: AbortController;
}

const READ_DEADLINE_MS = 15_000;
const DEFAULT_SECRET = { name: 'cloud-credentials', key: 'cloud' };

/** Opens the store of a location, and keeps it open until the location or one of its Secrets changes. */
export class LocationStores {
  readonly #options: LocationStoresOptions;
  readonly #opened = new Map<string, Opened>();

  constructor(options: LocationStoresOptions) {
    this.#options = options;
  }

  /** Throws `notFound` for a location that is not there, `invalidConfig` for one that cannot be opened. */
  async open(name: string, signal?: AbortSignal): Promise<LocationStore> {
    const { kube, namespace } = this.#options;
    const object = await kube.get(
      { type: BackupStorageLocation, namespace, name },
      { deadlineMs: READ_DEADLINE_MS, ...(signal === undefined ? {} : { signal }) },
    );
    return await this.openFor(BackupStorageLocation.parse(object).value, object.metadata.uid ?? '', signal);
  }

  async openFor(location: BackupStorageLocation, uid: string, signal?: AbortSignal): Promise<LocationStore> {
    const settings = await this.#read(location, signal);
    const name = location.metadata.name ?? '';
    const fingerprint = JSON.stringify([uid, settings]);
    const isOpen = (): LocationStore | undefined => {
      const known = this.#opened.get(name);
      if (known?.fingerprint !== fingerprint) return undefined;
      return { location, store: known.store, changed: known.changed.signal };
    };
    const known = isOpen();
    if (known !== undefined) return known;
    // Also when the new one cannot be opened: what was begun with the old one has to end.
    this.forget(name);
    const store = await openStore(settings, this.#options.store);
    // Another one may have asked for the same meanwhile, and nobody would ever close the second.
    const faster = isOpen();
    if (faster !== undefined) {
      store.close();
      return faster;
    }
    this.forget(name);
    const changed = new AbortController();
    this.#opened.set(name, { fingerprint, store, changed });
    return { location, store, changed: changed.signal };
  }

  /** The location is gone, or another one has its name. */
  forget(name: string): void {
    const opened = this.#opened.get(name);
    if (opened === undefined) return;
    this.#opened.delete(name);
    opened.changed.abort(new AppError('canceled', `location ${name} was changed or deleted meanwhile`));
    opened.store.close();
  }

  close(): void {
    for (const name of [...this.#opened.keys()]) this.forget(name);
  }

  async #read(location: BackupStorageLocation, signal: AbortSignal | undefined): Promise<StoreLocation> {
    const { provider, objectStorage, config = {}, credential } = location.spec;
    const { caCert, caCertRef, bucket, prefix } = objectStorage;
    const caCertPem =
      caCertRef === undefined
        ? caCert && Buffer.from(caCert, 'base64').toString()
        : (await this.#secret(caCertRef, 'objectStorage.caCertRef', signal)).toString();
    const isFs = provider === 'headway.io/fs';
    const credentialsIni = isFs ? undefined : await this.#credentials(credential, config, signal);
    const customerKey = await this.#customerKey(config, signal);
    return { provider, bucket, prefix, config, credentialsIni, caCertPem, customerKey };
  }

  /** As Velero: the location's own Secret, else the one the server was installed with, else the SDK's chain. */
  async #credentials(
    credential: SecretRef | undefined,
    config: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (credential !== undefined) return (await this.#secret(credential, 'credential', signal)).toString();
    if (config['credentialsFile'] !== undefined) return undefined;
    try {
      return (await this.#secret(DEFAULT_SECRET, 'credential', signal)).toString();
    } catch (error) {
      if (isAppError(error, 'invalidConfig')) return undefined;
      throw error;
    }
  }

  async #customerKey(
    config: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined> {
    const [name = '', key = ''] = config['customerKeyEncryptionSecret']?.split('/') ?? [];
    if (name === '') return undefined;
    return await this.#secret({ name, key }, 'config.customerKeyEncryptionSecret', signal);
  }

  async #secret(ref: SecretRef, field: string, signal: AbortSignal | undefined): Promise<Buffer> {
    const { kube, namespace } = this.#options;
    const options = { deadlineMs: READ_DEADLINE_MS, ...(signal === undefined ? {} : { signal }) };
    let secret: KubeObject;
    try {
      secret = await kube.get({ type: SECRET, namespace, name: ref.name ?? '' }, options);
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      throw new AppError(
        'invalidConfig',
        `${field} of the location: there is no Secret ${namespace}/${ref.name ?? ''}`,
      );
    }
    const data = isObject(secret['data']) ? secret['data'] : {};
    const value = textAt(data, ref.key);
    if (value !== undefined) return Buffer.from(value, 'base64');
    const has = Object.keys(data).join(', ') || 'none';
    throw new AppError(
      'invalidConfig',
      `${field} of the location: Secret ${namespace}/${ref.name ?? ''} has no key ${ref.key}, it has ${has}`,
    );
  }
}

interface SecretRef {
  name?: string | undefined;
  key: string;
}
