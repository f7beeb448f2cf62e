import type { S3Client } from '@aws-sdk/client-s3';
import { isAppError, type Log } from '../../../base/index.ts';
import { checkKey, checkPrefix } from '../key.ts';
import type { CallOptions, GetOptions, ObjectFacts, PutOptions, Source, Store, StoredObject, Upload } from '../port.ts';
import { headObject } from './ask.ts';
import { getObject } from './download.ts';
import { readEncryption } from './encryption.ts';
import { listFolders, listObjects, listUploads } from './listing.ts';
import { presignGet } from './presign.ts';
import { type Bucket, request, type S3Limits } from './requests.ts';
import { type ClientOptions, createClient, loadSdk, locationCredentials } from './s3-client.ts';
import type { S3Settings } from './s3-settings.ts';
import { putObject } from './upload.ts';

export interface S3Options extends ClientOptions {
  bucket: string;
  customerKey?: Uint8Array | undefined;
  limits: S3Limits;
  log: Log;
}

export async function openS3Store(settings: S3Settings, options: S3Options): Promise<Store> {
  const { env, limits, log } = options;
  const encryption = await readEncryption(settings, options.customerKey, options.rules ?? {});
  const sdk = await loadSdk();
  const credentials = await locationCredentials(sdk, settings, options);
  const clientFor = (url: string | undefined): S3Client => createClient(sdk, settings, { url, credentials, env });
  const { s3Url, publicUrl } = settings;
  const client = clientFor(s3Url);
  const where = `bucket "${options.bucket}" at ${s3Url ?? 'AWS'}`;
  const bucket: Bucket = { sdk, client, name: options.bucket, where, settings, encryption, limits, log };
  return new S3Store(bucket, publicUrl === undefined ? client : clientFor(publicUrl));
}

class S3Store implements Store {
  readonly where: string;
  readonly #bucket: Bucket;
  readonly #publicClient: S3Client;

  constructor(bucket: Bucket, publicClient: S3Client) {
    this.where = bucket.where;
    this.#bucket = bucket;
    this.#publicClient = publicClient;
  }

  async put(key: string, source: Source, options: PutOptions = {}): Promise<{ size: number }> {
    checkKey(key);
    return await putObject(this.#bucket, key, source, options);
  }

  async get(key: string, options: GetOptions = {}): Promise<StoredObject> {
    checkKey(key);
    return await getObject(this.#bucket, key, options);
  }

  async head(key: string, options: CallOptions = {}): Promise<ObjectFacts> {
    checkKey(key);
    const { ContentLength = 0, LastModified, ETag = '' } = await headObject(this.#bucket, key, options);
    return { key, size: ContentLength, modified: LastModified?.getTime() ?? 0, version: ETag };
  }

  async delete(key: string, options: CallOptions = {}): Promise<void> {
    checkKey(key);
    const { sdk, client } = this.#bucket;
    const command = new sdk.DeleteObjectCommand({ Bucket: this.#bucket.name, Key: key });
    await this.#unlessMissing(
      this.#call(`delete ${key} from`, options, (abortSignal) => client.send(command, { abortSignal })),
    );
  }

  async *list(prefix: string, options: CallOptions = {}): AsyncGenerator<ObjectFacts> {
    checkPrefix(prefix);
    yield* listObjects(this.#bucket, prefix, options);
  }

  async *listPrefixes(prefix: string, options: CallOptions = {}): AsyncGenerator<string> {
    checkPrefix(prefix);
    yield* listFolders(this.#bucket, prefix, options);
  }

  async *listUploads(prefix: string, options: CallOptions = {}): AsyncGenerator<Upload> {
    checkPrefix(prefix);
    yield* listUploads(this.#bucket, prefix, options);
  }

  async abortUpload({ key, id }: Upload, options: CallOptions = {}): Promise<void> {
    checkKey(key);
    const { sdk, client } = this.#bucket;
    const command = new sdk.AbortMultipartUploadCommand({ Bucket: this.#bucket.name, Key: key, UploadId: id });
    await this.#unlessMissing(
      this.#call(`abort an upload of ${key} in`, options, (abortSignal) => client.send(command, { abortSignal })),
    );
  }

  async downloadUrl(key: string, expiresInSeconds: number, options: CallOptions = {}): Promise<string> {
    checkKey(key);
    // The link itself needs no request, but the credentials may.
    return await this.#call(`make a link to ${key} in`, options, () =>
      presignGet(this.#bucket, this.#publicClient, key, expiresInSeconds),
    );
  }

  close(): void {
    this.#bucket.client.destroy();
    this.#publicClient.destroy();
  }

  async #call<T>(attempted: string, options: CallOptions, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { where, limits } = this.#bucket;
    return await request({ ...options, what: `${attempted} ${where}`, limitMs: limits.callMs }, send);
  }

  /** Some stores report an error when there is nothing to delete; for the caller that is success. */
  async #unlessMissing(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isAppError(error, 'notFound', 'gone')) throw error;
    }
  }
}
