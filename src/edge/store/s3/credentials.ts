import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { AppError } from '../../../base/index.ts';
import { parseIni } from './ini.ts';
import type { S3Settings } from './s3-settings.ts';

type Credentials = NonNullable<S3ClientConfig['credentials']>;

/** The SDK's chain of sources, as far as it is used here. */
export type Chain = (options: {
  profile: string;
  filepath: string;
  configFilepath: string;
  ignoreCache?: boolean;
}) => () => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string; expiration?: Date }>;

/** What makes the SDK run a program; a Secret must not be able to do that. */
const PROGRAM = 'credential_process';
const ROLE_KEYS = ['role_arn', 'source_profile', 'web_identity_token_file', 'sso_session', 'sso_start_url'];

/**
 * Keys from the INI text of a Secret, else from a file named by the location. Undefined leaves it to the SDK's chain:
 * environment, web identity of the pod, instance metadata.
 */
export function readCredentials(
  settings: S3Settings,
  ini: string | undefined,
  chain: () => Chain,
): Credentials | undefined {
  if (ini === undefined) {
    const { credentialsFile: file, profile } = settings;
    return file === undefined ? undefined : chain()({ profile, filepath: file, configFilepath: file });
  }
  const profiles = parseIni(ini);
  const profile = profiles.get(settings.profile);
  if (profile === undefined) {
    const found = profiles.size === 0 ? 'none' : [...profiles.keys()].join(', ');
    throw new AppError('invalidConfig', `read credentials: expected profile "${settings.profile}", found ${found}`);
  }
  const roleKeys = ROLE_KEYS.filter((key) => profile.has(key));
  if ([...profiles.values()].some((one) => one.has(PROGRAM))) {
    throw new AppError(
      'invalidConfig',
      `read credentials: ${PROGRAM} in a Secret is not allowed, it would run a program`,
    );
  }
  if (settings.enableSharedConfig && roleKeys.length > 0) return assumedRole(ini, settings.profile, chain());
  return staticKeys(settings.profile, profile, roleKeys);
}

function staticKeys(name: string, profile: ReadonlyMap<string, string>, roleKeys: readonly string[]): Credentials {
  const accessKeyId = profile.get('aws_access_key_id');
  const secretAccessKey = profile.get('aws_secret_access_key');
  if (!accessKeyId || !secretAccessKey) {
    const hint = roleKeys.length === 0 ? '' : `; for ${roleKeys.join(', ')} set enableSharedConfig to "true"`;
    throw new AppError(
      'invalidConfig',
      `read credentials: profile "${name}" needs aws_access_key_id and aws_secret_access_key${hint}`,
    );
  }
  const sessionToken = profile.get('aws_session_token');
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** The SDK reads roles only from files; ours exists while it reads, and nobody else can. */
function assumedRole(ini: string, profile: string, chain: Chain): Credentials {
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'headway-credentials-'));
    try {
      const file = join(directory, 'credentials');
      await writeFile(file, ini, { mode: 0o600 });
      return await chain({ profile, filepath: file, configFilepath: file, ignoreCache: true })();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}
