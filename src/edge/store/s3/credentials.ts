import { AppError, cleanText } from '../../../base/index.ts';
import { type CredentialRules, readBelowRoot } from '../credentials-root.ts';
import { shown } from '../shown.ts';
import { checkPlugins, ROLE_KEYS } from './credential-plugins.ts';
import { runCredentialProcess } from './credential-process.ts';
import { type Profile, type Profiles, parseIni } from './ini.ts';
import type { Credentials, Keys } from './keys.ts';
import { type Role, roleOf } from './role.ts';
import type { S3Settings } from './s3-settings.ts';

export interface CredentialSources {
  /** The content of the credential's Secret. */
  ini: string | undefined;
  rules: CredentialRules;
  env: Readonly<Record<string, string | undefined>>;
  /** Without keys, the server's own are used. */
  assumeRole: (role: Role, keys: Keys | undefined) => Promise<Keys>;
}

const MAX_FILE_BYTES = 256 * 1024;

/**
 * Keys from the INI text of a Secret, else from a file named by the location. Undefined leaves it to the SDK's own
 * chain, which knows nothing about the location: the server's environment, its pod's web identity, instance metadata.
 */
export async function readCredentials(
  settings: S3Settings,
  sources: CredentialSources,
): Promise<Credentials | undefined> {
  const { rules, env } = sources;
  const { credentialsFile: path } = settings;
  let { ini } = sources;
  if (ini === undefined) {
    if (path === undefined) return undefined;
    ini = (await readBelowRoot({ path, setting: 'credentialsFile', maxBytes: MAX_FILE_BYTES }, rules)).toString();
  }
  const profiles = parseIni(ini);
  checkPlugins(profiles, rules.plugins ?? [], sources.ini === undefined ? 'file' : 'Secret');
  const profile = profileOf(profiles, settings.profile);
  const command = profile.get('credential_process');
  if (command !== undefined) return () => runCredentialProcess(command, env);
  const role = settings.enableSharedConfig ? roleOf(profile) : undefined;
  if (role === undefined) return staticKeys(settings.profile, profile);
  const { sourceProfile: source } = role;
  const keys = source === undefined ? undefined : staticKeys(source, profileOf(profiles, source));
  return () => sources.assumeRole(role, keys);
}

function profileOf(profiles: Profiles, name: string): Profile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const found = profiles.size === 0 ? 'none' : cleanText([...profiles.keys()].join(', '), 200);
  throw new AppError('invalidConfig', `read credentials: expected profile ${shown(name)}, found ${found}`);
}

function staticKeys(name: string, profile: Profile): Keys {
  const accessKeyId = profile.get('aws_access_key_id');
  const secretAccessKey = profile.get('aws_secret_access_key');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const roleKeys = ROLE_KEYS.filter((key) => profile.has(key));
    const hint = roleKeys.length === 0 ? '' : `; for ${roleKeys.join(', ')} set enableSharedConfig to "true"`;
    throw new AppError(
      'invalidConfig',
      `read credentials: profile "${name}" needs aws_access_key_id and aws_secret_access_key${hint}`,
    );
  }
  const sessionToken = profile.get('aws_session_token');
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}
