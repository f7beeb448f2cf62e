import { textAt, type JsonObject } from '../../base/index.ts';
import { trueCondition } from './status-values.ts';

/** Claims whose data is missing for the same reason. */
export interface MissingClaims {
  /** As `namespace/name`. */
  claims: string[];
  /** Absent in what older versions wrote. */
  reason?: string;
}

const BEGINNING = /^the data of \d+ claims? is not in the backup: /;
const END = / and \d+ more, named in the results$/;
const CLAIM = '[a-z0-9.-]+/[a-z0-9.-]+';
/** A group, up to where the next one begins: a reason may have any sign in it. */
const GROUP = new RegExp(
  `(${CLAIM}(?:, ${CLAIM})*)(?: \\((.*?)\\))?(?:; (?=${CLAIM}(?:, ${CLAIM})*(?: \\(|;|$))|$)`,
  'gs',
);
/** More than the condition ever names. */
const MAX_LENGTH = 64 * 1024;

/** The claims that a backup or restore names as being without their data, by reason. */
export function missingClaims(status: JsonObject): MissingClaims[] {
  const message = (textAt(trueCondition(status, 'VolumeDataMissing'), 'message') ?? '').slice(0, MAX_LENGTH);
  if (!BEGINNING.test(message)) return [];
  const list = message.replace(BEGINNING, '').replace(END, '');
  return [...list.matchAll(GROUP)].map(([, names = '', reason]) => ({
    claims: names.split(', '),
    ...(reason === undefined ? {} : { reason }),
  }));
}
