import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { PutObjectCommandInput } from '@aws-sdk/client-s3';
import { AppError, messageOf } from '../../../base/index.ts';
import type { S3Settings } from './s3-settings.ts';

const KEY_BYTES = 32;

type CustomerKey = Pick<PutObjectCommandInput, 'SSECustomerAlgorithm' | 'SSECustomerKey' | 'SSECustomerKeyMD5'>;

export interface Encryption {
  /** For requests that write an object. */
  write: CustomerKey & Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  /** For requests that read an object or write a part of one: only a key of our own must be sent with them. */
  read: CustomerKey;
}

/** `secretKey` is what the Secret named by customerKeyEncryptionSecret holds. */
export async function readEncryption(settings: S3Settings, secretKey: Uint8Array | undefined): Promise<Encryption> {
  if (settings.kmsKeyId !== undefined) {
    return { write: { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: settings.kmsKeyId }, read: {} };
  }
  const key = await customerKey(settings, secretKey);
  if (key !== undefined) {
    const parameters = {
      SSECustomerAlgorithm: 'AES256',
      SSECustomerKey: Buffer.from(key).toString('base64'),
      // S3 wants this hash to find mistakes in transport; it protects nothing.
      SSECustomerKeyMD5: createHash('md5').update(key).digest('base64'),
    };
    return { write: parameters, read: parameters };
  }
  const { serverSideEncryption } = settings;
  return { write: serverSideEncryption === undefined ? {} : { ServerSideEncryption: serverSideEncryption }, read: {} };
}

async function customerKey(settings: S3Settings, secretKey: Uint8Array | undefined): Promise<Uint8Array | undefined> {
  const { customerKeyFile: file, customerKeySecret: secret } = settings;
  if (file === undefined && secret === undefined) return undefined;
  const what = file === undefined ? `customerKeyEncryptionSecret ${secret ?? ''}` : `customerKeyEncryptionFile ${file}`;
  const key = file === undefined ? secretKey : await readKeyFile(file, what);
  if (key?.byteLength !== KEY_BYTES) {
    const got = key === undefined ? 'no key was read' : `got ${key.byteLength}`;
    throw new AppError('invalidConfig', `read ${what}: expected ${KEY_BYTES} bytes, ${got}`);
  }
  return key;
}

/** One byte more than a key, so that a longer file is noticed and never read whole. */
async function readKeyFile(file: string, what: string): Promise<Uint8Array> {
  try {
    const handle = await open(file);
    try {
      const buffer = Buffer.alloc(KEY_BYTES + 1);
      const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new AppError('invalidConfig', `read ${what}: ${messageOf(error)}`, { cause: error });
  }
}
