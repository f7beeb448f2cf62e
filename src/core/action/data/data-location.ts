import { AppError, sha256Hex } from '../../../base/index.ts';
import { readProfile, type ProfileStore } from '../kando/location.ts';

/** One repository of backups, in the terms of the programs that may have made it. */
export interface DataRepository {
  /** Bucket and path, as Kanister writes it. */
  location: string;
  /** What restic calls it. */
  restic: string;
  /** What follows `kopia repository connect`. */
  kopia: readonly string[];
  /** The directory that holds it, which has to be made before it is. */
  directory?: string;
}

/** A Profile for the programs that move data. */
export interface DataLocation {
  /** Their variables: never on a command line, never in a log. */
  env: Readonly<Record<string, string>>;
  /** Flags of restic for this store. */
  resticFlags: readonly string[];
  /** Below the bucket, which may be named in front. The Profile's prefix does not count here, as upstream has it. */
  repository(artifactPrefix: string): DataRepository;
}

export interface DataLocationOptions {
  encryptionKey?: string | undefined;
  isInsecure: boolean;
}

const AMAZON = 's3.amazonaws.com';
/** Upstream's, for whoever gives no key: what Kanister has stored must be readable. */
const USUAL_KEY = sha256Hex('testpassword');

/** Reads a Profile as `toJson .Profile` writes it. Throws `invalid` or `unsupported`. */
export function dataLocation(profileJson: string, { encryptionKey, isInsecure }: DataLocationOptions): DataLocation {
  const { store } = readProfile(profileJson, '');
  const password = encryptionKey ?? USUAL_KEY;
  const env = { RESTIC_PASSWORD: password, KOPIA_PASSWORD: password, ...storeVariables(store) };
  const isUnchecked = isInsecure || store.config['insecureSkipTLSVerify'] === 'true';
  return {
    env,
    resticFlags: isUnchecked ? ['--insecure-tls'] : [],
    repository: (artifactPrefix) => {
      const location = locationOf(artifactPrefix, store.bucket);
      return store.root === undefined ? inBucket(store, location, isUnchecked) : inDirectory(store.root, location);
    },
  };
}

function storeVariables({ credentialsIni = '', config }: ProfileStore): Record<string, string> {
  const keys = Object.fromEntries(
    credentialsIni
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')).toUpperCase(), line.slice(line.indexOf('=') + 1)] as const),
  );
  return { ...keys, ...(config['region'] !== undefined && { AWS_DEFAULT_REGION: config['region'] }) };
}

/** Upstream's rule: the bucket comes first, unless it is there already. */
function locationOf(artifactPrefix: string, bucket: string): string {
  const parts: string[] = [];
  for (const part of artifactPrefix.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const path = parts[0] === bucket ? parts.slice(1) : parts;
  if (path.length === 0) {
    throw new AppError('invalid', `the path of a repository: expected one below the bucket, got "${artifactPrefix}"`);
  }
  return [bucket, ...path].join('/');
}

function inBucket({ bucket, config }: ProfileStore, location: string, isUnchecked: boolean): DataRepository {
  const { s3Url, region } = config;
  const { host, isPlain } = endpointOf(s3Url ?? `https://${AMAZON}`);
  return {
    location,
    restic: `s3:${s3Url ?? AMAZON}/${location}`,
    kopia: [
      's3',
      `--bucket=${bucket}`,
      `--prefix=${location.slice(bucket.length + 1)}/`,
      `--endpoint=${host}`,
      ...(region === undefined ? [] : [`--region=${region}`]),
      ...(isPlain ? ['--disable-tls'] : []),
      ...(isUnchecked ? ['--disable-tls-verification'] : []),
    ],
  };
}

/** kopia wants the host alone. */
function endpointOf(url: string): { host: string; isPlain: boolean } {
  const [, scheme = '', host] = /^(https?):\/\/([^\s/?#@]+)\/?$/i.exec(url) ?? [];
  if (host === undefined) {
    throw new AppError('invalid', `endpoint of the Profile: expected the address of a store, got "${url}"`);
  }
  return { host, isPlain: scheme.toLowerCase() === 'http' };
}

function inDirectory(root: string, location: string): DataRepository {
  const directory = `${root.replace(/\/+$/, '')}/${location}`;
  return { location, restic: directory, kopia: ['filesystem', `--path=${directory}`], directory };
}
