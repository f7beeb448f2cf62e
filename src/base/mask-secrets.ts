const MASK = '***';
/** More of a command than anyone reads in a log, and short enough to scan in a few milliseconds. */
const MAX_LENGTH = 8192;

/** Anywhere in a name: `MYSQL_ROOT_PASSWORD`, `--secret-key`, `authToken`, `X-Amz-Signature`. */
const SECRET =
  'passw(?:or)?d|passphrase|passcode|pass(?![a-z])|pwd|secret|token|credential|signature|cookie' +
  '|(?:api|access|account|encryption|master|private)[-_]?key|auth(?:orization)?(?![a-z])';
/**
 * What may precede and follow such a word in a name. Bounded, like every repetition here, so that long text stays
 * cheap.
 */
const REST = '[\\w-]{0,40}';
/** A name that refers to a file or an object with the secret, not to the secret itself. */
const PLACE = `(?!${REST}(?:file|path|dir|name)\\b)`;
/** Everything between quotes, or up to the next blank; an unclosed quote extends to the end. */
const VALUE = `(?:\\\\"[^"\\\\]*(?:\\\\")?|"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s"']\\S*)`;
const SCHEME = '(?:(?:bearer|basic|digest|token)\\s{1,3})?';

type Rule = readonly [pattern: RegExp, replacement: string];

const RULES: readonly Rule[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,30}-----|$)/g, MASK],
  // https://user:password@host
  [/(:\/\/)[^\s/"'<>]*@/g, `$1${MASK}@`],
  // password=…, "token": "…", Authorization: Bearer …
  [new RegExp(`((?:${SECRET})${PLACE}${REST}\\\\?["']?\\s{0,3}[=:]\\s{0,3}${SCHEME})${VALUE}`, 'gi'), `$1${MASK}`],
  // --password …
  [new RegExp(`(-${REST}(?:${SECRET})${PLACE}${REST}\\s{1,3})(?!-)${VALUE}`, 'gi'), `$1${MASK}`],
  [/\b(Bearer|Basic)(\s{1,3})[\w.~+/=-]{16,}/g, `$1$2${MASK}`],
  // A JSON Web Token, such as that of a service account.
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, MASK],
];

/** Programs whose short flag is a password, such as `mysqldump -u root -pSECRET`. */
const SHORT_FLAGS: readonly (readonly [program: RegExp, flag: RegExp])[] = [
  [/\b(?:mysql|mariadb|mongo|sshpass)/, shortFlag('p')],
  [/\bredis-cli\b/, shortFlag('a')],
  [/\b(?:curl|wget)\b/, shortFlag('u')],
  [/\bldap/, shortFlag('w')],
];

function shortFlag(letter: string): RegExp {
  return new RegExp(`((?:^|[\\s"'])-${letter}[ =]?)(?!-)${VALUE}`, 'g');
}

/**
 * A command or its output, truncated if very long, with passwords, tokens and keys masked by the words before them. It
 * cannot recognize a secret that nothing announces, so a secret printed alone on a line will appear in the log.
 */
export function maskSecrets(text: string): string {
  let masked = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
  for (const [pattern, replacement] of RULES) masked = masked.replace(pattern, replacement);
  for (const [program, flag] of SHORT_FLAGS) if (program.test(masked)) masked = masked.replace(flag, `$1${MASK}`);
  return masked;
}
