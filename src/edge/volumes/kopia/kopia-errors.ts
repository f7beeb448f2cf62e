import { AppError, cleanText, type ErrorCode } from '../../../base/index.ts';
import { plainLine } from '../../../core/volumes/index.ts';

type Rule = readonly [pattern: RegExp, code: ErrorCode, sentence: string];

/** What kopia says, and what it means. The first that fits counts. */
const RULES: readonly Rule[] = [
  [
    /invalid repository password/,
    'unauthenticated',
    'the password of the repository is wrong; it is in Secret velero-repo-credentials',
  ],
  [/no space left on device/, 'tooLarge', 'the disk is full'],
  [/disk quota exceeded/, 'tooLarge', 'the disk quota is used up'],
  // Before what kopia says when it has tried often enough, whatever the reason.
  [/read-only file system/, 'forbidden', 'the file system is read-only'],
  [/permission denied/, 'forbidden', 'permission denied'],
  [
    /does not support feature|can't handle repositories created using version/,
    'unsupported',
    'a newer kopia made the repository',
  ],
  [/upgrade in progress|upgrade lock/, 'conflict', 'the repository is locked: somebody upgrades it'],
  [
    /error getting kopia\.repository blob: BLOB not found|repository not initialized|cannot access storage path/,
    'notFound',
    'there is no repository',
  ],
  [/found existing data in storage location/, 'invalid', 'what is there is no repository, and not empty either'],
  [
    /can't parse format blob|invalid format blob|unable to decrypt|unable to decompress/,
    'invalid',
    'the repository is damaged',
  ],
  [
    /BLOB not found|backed by missing blob|content \w+ not found|object not found/,
    'invalid',
    'a part of the repository is missing',
  ],
  [/NoSuchBucket|bucket does not exist/, 'notFound', 'the bucket does not exist'],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|Access Denied|ExpiredToken|Access Key Id you provided|request signature we calculated/,
    'forbidden',
    'the store refuses the keys',
  ],
  [/x509:|tls: /, 'untrusted', 'the certificate of the store is not trusted'],
  [
    /connection refused|no such host|i\/o timeout|connection reset|network is unreachable|no route to host|EOF$|despite \d+ retries/,
    'unreachable',
    'the store does not answer',
  ],
];

const MAX_SAID = 300;
/** A line of progress that kopia has not ended before it said what is wrong. */
const PROGRESS = /^ ?[-|/\\*] \d+ hashing, .*?(?:estimating\.\.\.|left|[\d.]+%\))/;

/** Whether the rest of a snapshot is in vain: kopia goes on reading for minutes when nothing can be stored any more. */
export function isHopeless(line: string): boolean {
  return /despite \d+ retries/.test(line);
}

/** An error with a sentence about what kopia was to do and why it could not. */
export function kopiaError(what: string, said: readonly string[]): AppError {
  const lines = said.map(plainLine).filter((line) => line !== '');
  const text = lines.join('\n');
  const last = causeIn((lines.at(-1) ?? 'it said nothing').replace(PROGRESS, ''), MAX_SAID);
  const rule = RULES.find(([pattern]) => pattern.test(text));
  if (rule === undefined) return new AppError('serverError', `${what}: kopia failed: ${last}`);
  const [, code, sentence] = rule;
  return new AppError(code, `${what}: ${sentence} (kopia: ${last})`);
}

/** The end of what kopia says: the cause comes last, behind everything that it was doing. */
export function causeIn(text: string, maxLength: number): string {
  const whole = text.trim();
  return whole.length <= maxLength ? cleanText(whole) : `…${cleanText(whole.slice(-maxLength))}`;
}
