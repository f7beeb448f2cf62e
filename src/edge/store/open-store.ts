import { AppError, type Log } from '../../base/index.ts';
import type { CredentialRules } from './credentials-root.ts';
import { openFsStore } from './fs/open-fs-store.ts';
import { keyProblem } from './key.ts';
import { LIST_LIMITS, type ListLimits } from './list-budget.ts';
import type { Store } from './port.ts';
import { parseS3Settings } from './s3/s3-settings.ts';
import { openS3Store } from './s3/s3-store.ts';
import { scopedStore } from './scoped-store.ts';
import { shown } from './shown.ts';

/** The contents of a BackupStorageLocation, with its Secrets read. */
export interface StoreLocation {
  provider: string;
  bucket: string;
  prefix?: string | undefined;
  config?: Readonly<Record<string, string>> | undefined;
  /** The content of the credential's Secret; without it the SDK's chain is used. */
  credentialsIni?: string | undefined;
  caCertPem?: string | undefined;
  /** The content of the Secret named by config.customerKeyEncryptionSecret. */
  customerKey?: Uint8Array | undefined;
}

export interface StoreDeps {
  log: Log;
  /** The directory that must contain every store of provider headway.io/fs; without it there are none. */
  fsRoot?: string | undefined;
  /** What a location may use on the server's machine; nothing by default. */
  credentials?: CredentialRules | undefined;
  /** For HTTPS_PROXY and similar variables. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  limits?: Partial<StoreLimits> | undefined;
}

export interface StoreLimits {
  /** For a request without content. */
  callMs: number;
  /** For sending an object or a part of one, 5 MiB at most. */
  partMs: number;
  /** For the next bytes of a download. */
  chunkMs: number;
  /** For one listing. */
  list: ListLimits;
}

const LIMITS: StoreLimits = { callMs: 60_000, partMs: 300_000, chunkMs: 60_000, list: LIST_LIMITS };
const FS = 'headway.io/fs';
const S3 = ['aws', 'velero.io/aws'];

/** A store that only sees the location's bucket and prefix. It makes no request yet. */
export async function openStore(location: StoreLocation, deps: StoreDeps): Promise<Store> {
  const prefix = withoutSlashes(location.prefix ?? '');
  const problem = prefix === '' ? undefined : keyProblem(prefix);
  if (problem !== undefined) throw new AppError('invalidConfig', `prefix of a location: ${problem}`);
  const store = await openBucket(location, deps);
  return prefix === '' ? store : scopedStore(store, `${prefix}/`);
}

async function openBucket(location: StoreLocation, deps: StoreDeps): Promise<Store> {
  const { provider, bucket, config = {} } = location;
  const limits = { ...LIMITS, ...deps.limits };
  if (provider === FS) return await openFsStore({ root: deps.fsRoot, bucket, config, limits });
  if (!S3.includes(provider)) {
    throw new AppError('invalidConfig', `provider of a location: expected aws or ${FS}, got ${shown(provider)}`);
  }
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket) || bucket.startsWith('arn:aws:s3:');
  if (!isName) throw new AppError('invalidConfig', `bucket of a location: ${shown(bucket)} is not a bucket's name`);
  const settings = parseS3Settings(config, location.caCertPem);
  const { credentialsIni, customerKey } = location;
  const { credentials: rules, env, log } = deps;
  return await openS3Store(settings, { bucket, credentialsIni, customerKey, rules, env, limits, log });
}

/** At both ends. */
function withoutSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}
