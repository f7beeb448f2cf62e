import { createHash } from 'node:crypto';
import type { PutObjectCommandInput } from '@aws-sdk/client-s3';
import { AppError } from '../../../base/index.ts';
import { type CredentialRules, readBelowRoot } from '../credentials-root.ts';
import type { S3Settings } from './s3-settings.ts';

const KEY_BYTES = 32;

type CustomerKey = Pick<PutObjectCommandInput, 'SSECustomerAlgorithm' | 'SSECustomerKey' | 'SSECustomerKeyMD5'>;

export interface Encryption {
  /** For requests that write an object. */
  write: CustomerKey & Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  /** For requests that read an object or write a part of one: only our own key must be sent with them. */
  read: CustomerKey;
}

/** `secretKey` is the content of the Secret named by customerKeyEncryptionSecret. */
export async function readEncryption(
  settings: S3Settings,
  secretKey: Uint8Array | undefined,
  rules: CredentialRules,
): Promise<Encryption> {
  if (settings.kmsKeyId !== undefined) {
    return { write: { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: settings.kmsKeyId }, read: {} };
  }
  const key = await customerKey(settings, secretKey, rules);
  if (key !== undefined) {
    const parameters = {
      SSECustomerAlgorithm: 'AES256',
      SSECustomerKey: Buffer.from(key).toString('base64'),
      // S3 requires this hash to detect transmission errors; it protects nothing.
      SSECustomerKeyMD5: createHash('md5').update(key).digest('base64'),
    };
    return { write: parameters, read: parameters };
  }
  const { serverSideEncryption } = settings;
  return { write: serverSideEncryption === undefined ? {} : { ServerSideEncryption: serverSideEncryption }, read: {} };
}

async function customerKey(
  settings: S3Settings,
  secretKey: Uint8Array | undefined,
  rules: CredentialRules,
): Promise<Uint8Array | undefined> {
  const { customerKeyFile: path, customerKeySecret: secret } = settings;
  if (path === undefined && secret === undefined) return undefined;
  const setting = path === undefined ? 'customerKeyEncryptionSecret' : 'customerKeyEncryptionFile';
  const key = path === undefined ? secretKey : await readBelowRoot({ path, setting, maxBytes: KEY_BYTES }, rules);
  if (key?.byteLength !== KEY_BYTES) {
    const got = key === undefined ? 'no key was read' : `got ${key.byteLength}`;
    throw new AppError('invalidConfig', `read ${setting}: expected ${KEY_BYTES} bytes, ${got}`);
  }
  return key;
}
