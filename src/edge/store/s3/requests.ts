import type { S3Client } from '@aws-sdk/client-s3';
import type { Log } from '../../../base/index.ts';
import { within } from '../deadline.ts';
import type { ListLimits } from '../list-budget.ts';
import type { CallOptions } from '../port.ts';
import type { Encryption } from './encryption.ts';
import type { Sdk } from './s3-client.ts';
import { s3Error } from './s3-errors.ts';
import type { S3Settings } from './s3-settings.ts';

export interface S3Limits {
  /** For a request without content. */
  callMs: number;
  /** For sending an object or a part of one, 5 MiB at most. */
  partMs: number;
  /** For the next bytes of a download. */
  chunkMs: number;
  list: ListLimits;
}

/** What all requests to one bucket share. */
export interface Bucket {
  sdk: Sdk;
  client: S3Client;
  name: string;
  where: string;
  settings: S3Settings;
  encryption: Encryption;
  limits: S3Limits;
  log: Log;
}

export interface Request extends CallOptions {
  /** Such as `get backups/a/a.tar.gz from bucket …`. */
  what: string;
  limitMs: number;
}

/** One request with a deadline, repeated as the caller's `retry` allows; errors are AppErrors. */
export async function request<T>(options: Request, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { what, limitMs, signal, retry = (once) => once() } = options;
  return await retry(async () => {
    try {
      return await within({ limitMs, what, signal }, send);
    } catch (error) {
      // Passed on unchanged: the caller knows why it stopped.
      if (signal?.aborted === true) throw signal.reason;
      throw s3Error(what, error);
    }
  });
}
