import { BackupStorageLocation, SECRET } from '../../../api/index.ts';
import { AppError, isAppError, isObject, textAt } from '../../../base/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import {
  openStore,
  storeAccess,
  type StoreAccess,
  type StoreDeps,
  type StoreLocation,
} from '../../../edge/store/index.ts';
import { StoreCache, type OpenStore } from './store-cache.ts';

export interface LocationStoresOptions {
  kube: KubeClient;
  namespace: string;
  store: StoreDeps;
}

/** The store of a location; the caller must dispose of it. */
export interface LocationStore extends OpenStore {
  location: BackupStorageLocation;
  /** For a program that reaches the store by itself. */
  access(): Promise<StoreAccess>;
}

const READ_DEADLINE_MS = 15_000;
const DEFAULT_SECRET = { name: 'cloud-credentials', key: 'cloud' };

/** Opens the store of a BackupStorageLocation with its Secrets; it stays open until one of them changes. */
export class LocationStores {
  readonly #options: LocationStoresOptions;
  readonly #cache = new StoreCache();

  constructor(options: LocationStoresOptions) {
    this.#options = options;
  }

  /** Throws `notFound` for a missing location, `invalidConfig` for one that cannot be opened. */
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
    const opened = await this.#cache.open({
      name: nameOf(location.metadata.name ?? ''),
      fingerprint: JSON.stringify([uid, settings]),
      open: () => openStore(settings, this.#options.store),
    });
    return { ...opened, location, access: () => storeAccess(settings, this.#options.store) };
  }

  /** The location is gone, or another one has its name. */
  forget(name: string): void {
    this.#cache.forget(nameOf(name));
  }

  close(): void {
    this.#cache.close();
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

  /** As in Velero: the location's own Secret, else the one the server was installed with, else the SDK's chain. */
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

function nameOf(location: string): string {
  return `location ${location}`;
}

interface SecretRef {
  name?: string | undefined;
  key: string;
}
