import { REPOSITORY_USER, type KopiaRepository } from '../../../core/volumes/index.ts';

/** What must never be on a command line or in a log. */
export interface KopiaSecrets {
  password: string;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
  sessionToken?: string | undefined;
  /** PEM of the authority that signed the store's certificate. */
  caCert?: string | undefined;
}

const CACHE_BYTES = 512 * 1024 * 1024;
const LIST_SECONDS = 30;

/**
 * The file that `kopia repository connect` would write. Writing it saves a run of kopia, half a second, for every volume.
 * The keys of the store are not in it: kopia takes them from its environment. The description of the repository is
 * never cached: with a cached one kopia stores snapshots even where the repository was deleted.
 */
export function kopiaConfig(repository: KopiaRepository, cacheDirectory: string, secrets: KopiaSecrets): string {
  return JSON.stringify({
    storage: storageOf(repository, secrets.caCert),
    caching: {
      cacheDirectory,
      maxCacheSize: CACHE_BYTES,
      maxMetadataCacheSize: CACHE_BYTES,
      maxListCacheDuration: LIST_SECONDS,
    },
    ...REPOSITORY_USER,
    enableActions: false,
    formatBlobCacheDuration: -1,
  });
}

function storageOf(repository: KopiaRepository, caCert: string | undefined): object {
  if (repository.kind === 'filesystem') {
    return { type: 'filesystem', config: { path: repository.path, fileMode: 0o600, dirMode: 0o700, dirShards: null } };
  }
  const { bucket, prefix, endpoint, region, disableTls, skipTlsVerify } = repository;
  return {
    type: 's3',
    config: {
      bucket,
      prefix,
      endpoint,
      doNotUseTLS: disableTls === true,
      doNotVerifyTLS: skipTlsVerify === true,
      ...(region === undefined ? {} : { region }),
      ...(caCert === undefined ? {} : { rootCA: Buffer.from(caCert).toString('base64') }),
    },
  };
}

/** For `kopia repository create`, which takes no file. */
export function storageArguments(repository: KopiaRepository): string[] {
  if (repository.kind === 'filesystem') return ['filesystem', `--path=${repository.path}`];
  const { bucket, prefix, endpoint, region, disableTls, skipTlsVerify } = repository;
  return [
    's3',
    `--bucket=${bucket}`,
    `--prefix=${prefix}`,
    `--endpoint=${endpoint}`,
    ...(region === undefined ? [] : [`--region=${region}`]),
    ...(disableTls === true ? ['--disable-tls'] : []),
    ...(skipTlsVerify === true ? ['--disable-tls-verification'] : []),
  ];
}

/** The environment of kopia; `inherited` is the mover's own, of which it gets what a program needs. */
export function kopiaEnvironment(
  secrets: KopiaSecrets,
  scratch: string,
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = [
    'PATH',
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'NO_PROXY',
    'https_proxy',
    'http_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
  ];
  const { password, accessKeyId, secretAccessKey, sessionToken, caCert } = secrets;
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(kept.map((name) => [name, inherited[name]])),
    HOME: scratch,
    TMPDIR: scratch,
    KOPIA_PASSWORD: password,
    // A quarter less memory with many files, for hardly any time: measured with 200 000.
    GOGC: '25',
    // It must not ask GitHub for updates, nor send its errors anywhere.
    KOPIA_CHECK_FOR_UPDATES: 'false',
    KOPIA_SEND_ERROR_NOTIFICATIONS: 'never',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    ROOT_CA_PEM_BASE64: caCert === undefined ? undefined : Buffer.from(caCert).toString('base64'),
  };
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
