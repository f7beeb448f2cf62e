import { setTimeout as delay } from 'node:timers/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';
import { AppError, isAppError, messageOf } from '../../../base/index.ts';
import type { CallOptions } from '../port.ts';
import { askingWhy, headObject } from './ask.ts';
import { countBody, SLICE_BYTES } from './counted-body.ts';
import { listUploads } from './listing.ts';
import { type Bucket, request } from './requests.ts';
import type { SentBytes } from './sent-bytes.ts';
import { WholePartSignal } from './whole-part-signal.ts';

const MAX_PARTS = 10_000;
const ABORT_MS = 15_000;
const ABORT_DELAYS_MS = [50, 700, 700, 1000, 1500, 2000];
/** One clean check proves little: a part that was received completely may still be on its way to the server's disk. */
const CLEAN_LOOKS = 2;
/** Metadata that identifies an object as coming from this upload. */
const MARKER = 'headway-upload';

/** One multipart upload: started, sent, and then completed or aborted. */
export class MultipartUpload {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #id: string;
  readonly #marker: string;
  readonly #call: CallOptions;
  readonly #parts: CompletedPart[] = [];
  #size = 0;

  private constructor(bucket: Bucket, ids: { key: string; id: string; marker: string }, call: CallOptions) {
    this.#bucket = bucket;
    this.#key = ids.key;
    this.#id = ids.id;
    this.#marker = ids.marker;
    this.#call = { signal: call.signal, retry: call.retry };
  }

  static async begin(bucket: Bucket, key: string, marker: string, call: CallOptions): Promise<MultipartUpload> {
    const { sdk, client, settings, encryption, limits } = bucket;
    const what = `begin to put ${key} into ${bucket.where}`;
    const { UploadId: id } = await request({ ...call, what, limitMs: limits.callMs }, (signal) =>
      client.send(
        new sdk.CreateMultipartUploadCommand({
          Bucket: bucket.name,
          Key: key,
          Metadata: { [MARKER]: marker },
          ...encryption.write,
          ...(settings.tagging === undefined ? {} : { Tagging: settings.tagging }),
          ...(settings.checksumAlgorithm === undefined ? {} : { ChecksumAlgorithm: settings.checksumAlgorithm }),
        }),
        { abortSignal: signal },
      ),
    );
    if (!id) throw new AppError('badAnswer', `${what}: expected an upload id, the server gave none`);
    return new MultipartUpload(bucket, { key, id, marker }, call);
  }

  async sendPart(
    number: number,
    bytes: Uint8Array,
    { sent, stop }: { sent: SentBytes; stop: AbortSignal },
  ): Promise<void> {
    const { sdk, client, settings, encryption, limits } = this.#bucket;
    const what = `put part ${number} of ${this.#key} into ${this.#bucket.where}`;
    if (number > MAX_PARTS) {
      throw new AppError('tooLarge', `${what}: an object can have ${MAX_PARTS} parts of ${bytes.byteLength} bytes`);
    }
    const stopped = this.#call.signal === undefined ? stop : AbortSignal.any([this.#call.signal, stop]);
    const retry = askingWhy(this.#call.retry, () => this.#mustExist(stopped));
    using whole = new WholePartSignal(stopped, () => sent.of(number) + SLICE_BYTES >= bytes.byteLength);
    const { signal } = whole;
    const answer = await request({ signal, retry, what, limitMs: limits.partMs }, async (abortSignal) => {
      stopped.throwIfAborted();
      const command = new sdk.UploadPartCommand({
        Bucket: this.#bucket.name,
        Key: this.#key,
        UploadId: this.#id,
        PartNumber: number,
        Body: bytes,
        ...encryption.read,
        ...(settings.checksumAlgorithm === undefined ? {} : { ChecksumAlgorithm: settings.checksumAlgorithm }),
      });
      countBody(command, bytes, (count) => {
        sent.set(number, count);
      });
      return await client.send(command, { abortSignal });
    });
    const { ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 } = answer;
    const checksums = { ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 };
    this.#parts.push({ PartNumber: number, ETag, ...checksums });
    this.#size += bytes.byteLength;
  }

  /**
   * Returns the object's size. A completion whose answer was lost still counts if the object's metadata says that it is
   * ours.
   */
  async complete(): Promise<number> {
    const { sdk, client, limits } = this.#bucket;
    const what = `finish ${this.#key} in ${this.#bucket.where}`;
    const Parts = this.#parts.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
    const retry = askingWhy(this.#call.retry, () => this.#mustExist(this.#call.signal));
    try {
      await request({ ...this.#call, retry, what, limitMs: limits.partMs }, (signal) =>
        client.send(new sdk.CompleteMultipartUploadCommand({ ...this.#name(), MultipartUpload: { Parts } }), {
          abortSignal: signal,
        }),
      );
    } catch (error) {
      if (!isAppError(error, 'gone') || !(await this.#isOurs())) throw error;
    }
    return this.#size;
  }

  /**
   * Never throws: the put has already failed and says why. A server may still be storing a part whose connection is
   * gone, which brings the upload back; so it is checked again, and aborted again.
   */
  async abort(): Promise<void> {
    const { sdk, client, log } = this.#bucket;
    const what = `abort the upload of ${this.#key} into ${this.#bucket.where}`;
    try {
      let clean = 0;
      for (const delayMs of ABORT_DELAYS_MS) {
        await request({ what, limitMs: ABORT_MS }, (signal) =>
          client.send(new sdk.AbortMultipartUploadCommand(this.#name()), { abortSignal: signal }),
        ).catch(ignoreMissing);
        await delay(delayMs);
        clean = (await this.#isListed()) ? 0 : clean + 1;
        if (clean === CLEAN_LOOKS) return;
      }
      log.warn('an aborted upload stays in the store', { key: this.#key });
    } catch (error) {
      // listUploads finds it later.
      log.warn('an unfinished upload stays in the store', { key: this.#key, err: messageOf(error) });
    }
  }

  async #isListed(): Promise<boolean> {
    for await (const { id } of listUploads(this.#bucket, this.#key, {})) if (id === this.#id) return true;
    return false;
  }

  async #mustExist(signal: AbortSignal | undefined): Promise<void> {
    const { sdk, client, limits } = this.#bucket;
    const what = `look at the upload of ${this.#key} in ${this.#bucket.where}`;
    await request({ signal, what, limitMs: limits.callMs }, (abortSignal) =>
      client.send(new sdk.ListPartsCommand({ ...this.#name(), MaxParts: 1 }), { abortSignal }),
    );
  }

  async #isOurs(): Promise<boolean> {
    try {
      const { Metadata } = await headObject(this.#bucket, this.#key, this.#call);
      return Metadata?.[MARKER] === this.#marker;
    } catch (error) {
      if (isAppError(error, 'notFound')) return false;
      throw error;
    }
  }

  #name(): { Bucket: string; Key: string; UploadId: string } {
    return { Bucket: this.#bucket.name, Key: this.#key, UploadId: this.#id };
  }
}

function ignoreMissing(error: unknown): void {
  if (!isAppError(error, 'gone', 'notFound')) throw error;
}
