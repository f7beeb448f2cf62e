/**
 * The functions of sprig 2.22, by family, with the behaviour of the Go program that is their judge in the tests.
 * They must never read a clock, the machine's environment or randomness: what they need is in the run they are given.
 */
import type { Callable } from '../value/value.ts';
import { DATES } from './dates.ts';
import { DEFAULTS } from './defaults.ts';
import { DICTS } from './dicts.ts';
import { ENCODINGS } from './encodings.ts';
import { ENVIRONMENT } from './environment.ts';
import { HASHES } from './hashes.ts';
import { LISTS } from './lists.ts';
import { NUMBERS } from './numbers.ts';
import { PATHS } from './paths.ts';
import { PATTERNS } from './patterns.ts';
import { REFLECTION } from './reflection.ts';
import { REFUSED } from './refused.ts';
import { STRINGS } from './strings.ts';
import { URLS } from './urls.ts';
import { VERSIONS } from './versions.ts';

export const SPRIG: Readonly<Record<string, Callable>> = {
  ...DATES,
  ...DEFAULTS,
  ...DICTS,
  ...ENCODINGS,
  ...ENVIRONMENT,
  ...HASHES,
  ...LISTS,
  ...NUMBERS,
  ...PATHS,
  ...PATTERNS,
  ...REFLECTION,
  ...REFUSED,
  ...STRINGS,
  ...URLS,
  ...VERSIONS,
};
