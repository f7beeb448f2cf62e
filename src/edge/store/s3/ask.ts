import type { HeadObjectOutput } from '@aws-sdk/client-s3';
import { AppError, isAppError } from '../../../base/index.ts';
import type { Retrier, CallOptions } from '../port.ts';
import { type Bucket, request } from './requests.ts';

/** What the store knows about an object, without its content. */
export async function headObject(bucket: Bucket, key: string, call: CallOptions): Promise<HeadObjectOutput> {
  const { sdk, client, encryption, limits } = bucket;
  const command = new sdk.HeadObjectCommand({ Bucket: bucket.name, Key: key, ...encryption.read });
  const what = `look at ${key} in ${bucket.where}`;
  try {
    return await request({ ...call, what, limitMs: limits.callMs }, async (signal) => {
      try {
        return await client.send(command, { abortSignal: signal });
      } catch (error) {
        // The only error with this name that is about the object; see below for what else it may mean.
        if (!(error instanceof sdk.NotFound)) throw error;
        throw new AppError('notFound', `${what}: no such object`, { cause: error });
      }
    });
  } catch (error) {
    if (isAppError(error, 'notFound')) await askForKey(bucket, key, call);
    throw error;
  }
}

/**
 * Lists at most one key, just for the error that the store may return. An answer to HEAD has no body, so a missing
 * object looks like a missing bucket there, and in some stores like a wrong access key.
 */
export async function askForKey(bucket: Bucket, key: string, call: CallOptions): Promise<void> {
  const { sdk, client, limits } = bucket;
  const command = new sdk.ListObjectsV2Command({ Bucket: bucket.name, Prefix: key, MaxKeys: 1 });
  const what = `look for ${key} in ${bucket.where}`;
  await request({ ...call, what, limitMs: limits.callMs }, (signal) => client.send(command, { abortSignal: signal }));
}

/**
 * A server that refuses a body often closes the connection before reading all of it, and its answer is lost; others
 * report a lost upload as an internal error. So a small request is made then: if that is refused for good, the body was
 * too.
 */
export function askingWhy(retry: Retrier | undefined, ask: () => Promise<unknown>): Retrier {
  const outer: Retrier = retry ?? ((once) => once());
  return (send) =>
    outer(async () => {
      try {
        return await send();
      } catch (error) {
        if (isAppError(error, 'unreachable', 'serverError')) await ask().catch(rethrowFinal);
        throw error;
      }
    });
}

/** Any other failure of the small request only says that the store is unreachable, which is known. */
function rethrowFinal(error: unknown): void {
  if (isAppError(error) && error.retry === 'never') throw error;
}
