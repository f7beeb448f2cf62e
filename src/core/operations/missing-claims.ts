import { formatCount, textAt, type JsonObject } from '../../base/index.ts';
import { trueCondition } from './status-values.ts';

/** Claims whose data is missing for the same reason. */
export interface MissingClaims {
  /** As `namespace/name`. */
  claims: string[];
  /** Absent in what older versions wrote. */
  reason?: string;
}

const BEGINNING = /^the data of \d+ claims? is not in the backup: /;
/** Earlier versions said that the results have them, which is so for restores only. */
const END = / and \d+ more, named in the (?:log|results)$/;
const CLAIM = '[a-z0-9.-]+/[a-z0-9.-]+';
/**
 * A group, up to where the next one begins: a reason may have any sign in it. Sticky, so that what somebody else wrote is
 * not tried from each of its characters.
 */
const GROUP = new RegExp(
  `(${CLAIM}(?:, ${CLAIM})*)(?: \\((.*?)\\))?(?:; (?=${CLAIM}(?:, ${CLAIM})*(?: \\(|;|$))|$)`,
  'gsy',
);
/** The condition names a hundred, which would hide the reason, and all else that is told beside it. */
const AT_A_GLANCE = 6;
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

/** `shop/orders, shop/mail and 12 more`. */
export function fewClaims(claims: readonly string[]): string {
  const more = claims.length - AT_A_GLANCE;
  const named = claims.slice(0, AT_A_GLANCE).join(', ');
  return more > 0 ? `${named} and ${formatCount(more)} more` : named;
}

/** The condition's message with few claims for each reason; undefined where there is none, or one of another form. */
export function missingInShort(status: JsonObject): string | undefined {
  const groups = missingClaims(status);
  const [beginning] = BEGINNING.exec(textAt(trueCondition(status, 'VolumeDataMissing'), 'message') ?? '') ?? [];
  if (beginning === undefined || groups.length === 0) return undefined;
  const told = groups.map(({ claims, reason }) =>
    reason === undefined ? fewClaims(claims) : `${fewClaims(claims)} (${reason})`,
  );
  const named = groups.reduce((sum, { claims }) => sum + claims.length, 0);
  const rest = Number(/\d+/.exec(beginning)?.[0]) - named;
  const more = rest > 0 ? `; and ${formatCount(rest)} more` : '';
  const isShort = rest > 0 || groups.some(({ claims }) => claims.length > AT_A_GLANCE);
  return `${beginning}${told.join('; ')}${more}${isShort ? '; all are named in the log' : ''}`;
}
