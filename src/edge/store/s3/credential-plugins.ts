import { AppError } from '../../../base/index.ts';
import type { CredentialPlugin } from '../credentials-root.ts';
import type { Profiles } from './ini.ts';

export const ROLE_KEYS = ['role_arn', 'source_profile', 'credential_source', 'web_identity_token_file'];
/** Settings that need a person, or a person's files: a login in a browser, a code from a device. */
const NEEDS_A_PERSON = /^(?:sso_.*|login_session|mfa_serial)$/;

/** Throws for any setting that does more than hold keys, unless the administrator allowed it. */
export function checkPlugins(profiles: Profiles, allowed: readonly CredentialPlugin[], place: 'Secret' | 'file'): void {
  for (const [name, profile] of profiles) {
    for (const key of profile.keys()) {
      const problem = problemOf(key, allowed, place);
      if (problem === undefined) continue;
      throw new AppError('invalidConfig', `read credentials: ${key} in profile "${name}" is not allowed: ${problem}`);
    }
  }
}

function problemOf(key: string, allowed: readonly CredentialPlugin[], place: 'Secret' | 'file'): string | undefined {
  const needs = (plugin: CredentialPlugin): string | undefined =>
    allowed.includes(plugin) ? undefined : `the server was not started with --allow-credential-plugins ${plugin}`;
  if (NEEDS_A_PERSON.test(key)) return 'a server cannot log in as a person does, so this is not supported';
  if (ROLE_KEYS.includes(key)) return needs('role');
  if (key !== 'credential_process') return undefined;
  return place === 'file' ? needs('process') : 'a Secret must not run programs, only a file of the administrator may';
}
