import type { Profile } from '../../../api/index.ts';

/** The Profile of an action with the credentials that it refers to. */
export interface ProfileAccess {
  readonly profile: Profile;
  /** As `toJson .Profile` prints it, credentials included: what core's `readProfile` reads and `kando` takes. */
  readonly json: string;
}
