import { AppError } from '../../../base/index.ts';
import type { Profile } from './ini.ts';

/** An AWS role whose keys are wanted. */
export interface Role {
  arn: string;
  sessionName: string;
  externalId: string | undefined;
  seconds: number;
  /** The profile whose keys are used to assume the role. */
  sourceProfile: string | undefined;
  /** The file whose token is used to assume it. With neither, the server's own keys are used. */
  tokenFile: string | undefined;
}

/** Undefined for a profile without a role. */
export function roleOf(profile: Profile): Role | undefined {
  const arn = profile.get('role_arn');
  if (arn === undefined) return undefined;
  const sourceProfile = profile.get('source_profile');
  const tokenFile = profile.get('web_identity_token_file');
  const sources = [sourceProfile, tokenFile, profile.get('credential_source')].filter((one) => one !== undefined);
  if (sources.length !== 1) {
    const wanted = 'expected one of source_profile, web_identity_token_file and credential_source with it';
    throw new AppError('invalidConfig', `read credentials: role_arn: ${wanted}, got ${sources.length}`);
  }
  const seconds = Number(profile.get('duration_seconds') ?? 3600);
  if (!Number.isInteger(seconds)) {
    throw new AppError('invalidConfig', 'read credentials: duration_seconds: expected a whole number');
  }
  const sessionName = profile.get('role_session_name') ?? 'headway';
  return { arn, sessionName, externalId: profile.get('external_id'), seconds, sourceProfile, tokenFile };
}
