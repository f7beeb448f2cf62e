import { randomUUID } from 'node:crypto';
import { AppError, isAppError } from '../../../base/index.ts';
import type { PutOptions, Source } from '../port.ts';
import { readSource } from '../source.ts';
import { askForKey, askingWhy } from './ask.ts';
import { countBody } from './counted-body.ts';
import { MultipartUpload } from './multipart.ts';
import { PartMemory } from './part-memory.ts';
import { cutIntoParts, type Part } from './parts.ts';
import { type Bucket, request } from './requests.ts';
import { SentBytes } from './sent-bytes.ts';

/**
 * With S3's limit of 10 000 parts, objects may have 48 GiB. All parts have one size, because some stores require that.
 */
const PART_BYTES = 5 * 1024 * 1024;
const memory = new PartMemory(PART_BYTES);
/** Two are sent while a third is filled. */
const AT_ONCE = 2;

/** Small objects go in one request, others in parts; the source is read no faster than it is sent. */
export async function putObject(
  bucket: Bucket,
  key: string,
  source: Source,
  options: PutOptions,
): Promise<{ size: number }> {
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const sent = new SentBytes(options.onProgress);
  const parts = cutIntoParts(readSource(source, signal), memory);
  try {
    const first = await parts.next();
    if (first.done === true) throw new AppError('bug', `put ${key}: a source without any part`);
    if (first.value.isLast) return await putAtOnce(bucket, key, first.value, { options, sent });
    const marker = randomUUID();
    const upload = await MultipartUpload.begin(bucket, key, marker, options);
    try {
      await sendParts({ upload, parts, first: first.value, sent, stop });
      return { size: await upload.complete() };
    } catch (error) {
      stop.abort(error);
      await upload.abort();
      throw error;
    }
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    throw startOver(error);
  }
}

/** A lost upload is final for the request that noticed it, but the whole put may start over. */
function startOver(error: unknown): unknown {
  if (!isAppError(error, 'gone')) return error;
  return new AppError('gone', error.message, { cause: error });
}

async function putAtOnce(
  bucket: Bucket,
  key: string,
  part: Part,
  { options, sent }: { options: PutOptions; sent: SentBytes },
): Promise<{ size: number }> {
  const { sdk, client, settings, encryption, limits } = bucket;
  const what = `put ${key} into ${bucket.where}`;
  const retry = askingWhy(options.retry, () => askForKey(bucket, key, { signal: options.signal }));
  await request({ ...options, retry, what, limitMs: limits.partMs }, async (signal) => {
    const command = new sdk.PutObjectCommand({
      Bucket: bucket.name,
      Key: key,
      Body: part.bytes,
      ...encryption.write,
      ...(settings.tagging === undefined ? {} : { Tagging: settings.tagging }),
      ...(settings.checksumAlgorithm === undefined ? {} : { ChecksumAlgorithm: settings.checksumAlgorithm }),
    });
    countBody(command, part.bytes, (bytes) => {
      sent.set(1, bytes);
    });
    return await client.send(command, { abortSignal: signal });
  });
  memory.give(part.bytes);
  return { size: part.bytes.byteLength };
}

interface Sending {
  upload: MultipartUpload;
  parts: AsyncGenerator<Part>;
  first: Part;
  sent: SentBytes;
  stop: AbortController;
}

/** The first failure stops the source and the other parts, and is thrown when all of them have ended. */
async function sendParts({ upload, parts, first, sent, stop }: Sending): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const send = async (number: number, part: Part): Promise<void> => {
    try {
      await upload.sendPart(number, part.bytes, { sent, stop: stop.signal });
      memory.give(part.bytes);
    } catch (error) {
      failures.push(error);
      stop.abort(error);
    }
  };
  try {
    let number = 0;
    for (
      let part: Part | undefined = first;
      part !== undefined;
      part = (await parts.next()).value as Part | undefined
    ) {
      number += 1;
      const one = send(number, part).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= AT_ONCE) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } catch (error) {
    failures.push(error);
    stop.abort(error);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
