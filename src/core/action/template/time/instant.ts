import { civilOf, type Civil } from './calendar.ts';
import type { Zone } from './zone.ts';

/** A moment, and the zone in which it is shown. */
export interface Instant {
  /** Since 1970. */
  readonly seconds: number;
  readonly nanos: number;
  readonly zone: Zone;
}

/** The first of January of year 1, Go's zero time. */
export const ZERO_SECONDS = -62_135_596_800;

export function civil({ seconds, zone }: Instant): Civil {
  return civilOf(seconds + zone.at(seconds).offset);
}
