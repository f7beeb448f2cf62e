import { FunctionProblem } from '../problem.ts';

export interface Version {
  major: bigint;
  minor: bigint;
  patch: bigint;
  prerelease: string;
  metadata: string;
  original: string;
}

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const REST = `(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?`;
const VERSION = new RegExp(`^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?${REST}$`);
// The bar in the class is the library's own slip.
const WILD = '[0-9|xX*]+';
const PATTERN = `v?(${WILD})(?:\\.(${WILD}))?(?:\\.(${WILD}))?${REST}`;
const CONSTRAINT = new RegExp(`^\\s*(=|!=|>|<|>=|=>|<=|=<|~|~>|\\^|)\\s*(${PATTERN})\\s*$`);
const RANGE = new RegExp(`\\s*(${PATTERN})\\s+-\\s+(${PATTERN})\\s*`, 'g');
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_LENGTH = 1000;

/** The version, or why the text is none. */
export function parseVersion(source: string): Version | string {
  const match = source.length > MAX_LENGTH ? null : VERSION.exec(source);
  if (match === null) return 'Invalid Semantic Version';
  const [, major = '0', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  const numbers = [major, minor, patch].map(BigInt);
  const large = numbers.findIndex((number) => number > MAX_INT64);
  if (large >= 0) return 'Error parsing version segment: value out of range';
  const [first = 0n, second = 0n, third = 0n] = numbers;
  return { major: first, minor: second, patch: third, prerelease, metadata, original: source };
}

/** Whether it is a version as Kanister's functions have one: `v0.0.0`. */
export function isVersion(source: string): boolean {
  return typeof parseVersion(source) !== 'string';
}

export function versionText({ major, minor, patch, prerelease, metadata }: Version): string {
  const rest = (prerelease === '' ? '' : `-${prerelease}`) + (metadata === '' ? '' : `+${metadata}`);
  return `${String(major)}.${String(minor)}.${String(patch)}${rest}`;
}

export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.prerelease === b.prerelease) return 0;
  // A release comes after its prereleases.
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1;
  return comparePrereleases(a.prerelease.split('.'), b.prerelease.split('.'));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = comparePart(a[index] ?? '', b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return BigInt(a) > BigInt(b) ? 1 : -1;
  // Numbers come before words in the specification; the library has it the other way round.
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a > b ? 1 : -1;
}

/** One comparison, such as `>= 1.2`; what is missing or x in it matches anything. */
interface Constraint {
  sign: string;
  version: Version;
  /** Something is missing or x; the minor version too; only the patch. */
  isOpen: boolean;
  isMinorOpen: boolean;
  isPatchOpen: boolean;
}

/** The version is read after the constraint, so that the constraint's problem is told first. */
export function checkConstraint(source: string, version: () => Version): boolean {
  if (source.length > MAX_LENGTH) throw new FunctionProblem(`improper constraint: ${source.slice(0, 100)}`);
  const alternatives = rewriteRanges(source)
    .split('||')
    .map((all) => all.split(',').map(parseConstraint));
  const found = version();
  return alternatives.some((all) => all.every((constraint) => isMet(constraint, found)));
}

/** `1.2 - 3` is `>= 1.2, <= 3`. */
function rewriteRanges(source: string): string {
  return source.replace(RANGE, (...match: (string | undefined)[]) => `>= ${match[1] ?? ''}, <= ${match[7] ?? ''}`);
}

const isX = (part: string | undefined): boolean => part === 'x' || part === 'X' || part === '*';

function parseConstraint(source: string): Constraint {
  const match = CONSTRAINT.exec(source);
  if (match === null) throw new FunctionProblem(`improper constraint: ${source}`);
  const [, sign = '', whole = '', major = '', minor, patch, prerelease] = match;
  const isMajorOpen = isX(major);
  const isMinorOpen = !isMajorOpen && (minor === undefined || isX(minor));
  const isPatchOpen = !isMajorOpen && !isMinorOpen && isX(patch);
  const isOpen = isMajorOpen || isMinorOpen || isPatchOpen;
  const closed = [isMajorOpen ? [] : [major], isPatchOpen ? [minor] : []].flat();
  const version = parseVersion(isOpen ? openVersion(closed, prerelease) : whole);
  if (typeof version === 'string') throw new FunctionProblem('constraint Parser Error');
  return { sign, version, isOpen, isMinorOpen, isPatchOpen };
}

/** Noughts for what is missing or x. A prerelease of anything is none. */
function openVersion(closed: readonly (string | undefined)[], prerelease: string | undefined): string {
  const rest = prerelease === undefined || closed.length === 0 ? '' : `-${prerelease}`;
  return `${[...closed, '0', '0', '0'].slice(0, 3).join('.')}${rest}`;
}

type Test = (constraint: Constraint, found: Version, order: number) => boolean;

/** Below, where what is missing or x in the constraint matches anything. */
const isBelow =
  (isIn: (order: number) => boolean): Test =>
  ({ version, isOpen, isMinorOpen }, found, order) => {
    if (!isOpen) return isIn(order);
    return found.major <= version.major && (found.minor <= version.minor || isMinorOpen);
  };

const isNear: Test = ({ version, isMinorOpen, isPatchOpen }, found, order) => {
  if (order < 0) return false;
  const isZero = version.major === 0n && version.minor === 0n && version.patch === 0n;
  if (isZero && !isMinorOpen && !isPatchOpen) return true;
  return found.major === version.major && (found.minor === version.minor || isMinorOpen);
};

const isEqual: Test = (constraint, found, order) =>
  constraint.isOpen ? isNear(constraint, found, order) : order === 0;
const isFrom: Test = (_constraint, _found, order) => order >= 0;

const TESTS: Readonly<Record<string, Test>> = {
  '': isEqual,
  '=': isEqual,
  '>': (_constraint, _found, order) => order > 0,
  '>=': isFrom,
  '=>': isFrom,
  '<': isBelow((order) => order < 0),
  '<=': isBelow((order) => order <= 0),
  '=<': isBelow((order) => order <= 0),
  '^': ({ version }, found, order) => order >= 0 && found.major === version.major,
  '~': isNear,
  '~>': isNear,
};

function isMet(constraint: Constraint, found: Version): boolean {
  const { sign, version, isOpen, isMinorOpen } = constraint;
  const order = compareVersions(found, version);
  // Nobody gets a prerelease who did not name one.
  const isUnasked = found.prerelease !== '' && version.prerelease === '';
  if (sign === '!=' && !isOpen) return order !== 0;
  if (isUnasked) return false;
  if (sign === '!=') return found.major !== version.major || (found.minor !== version.minor && !isMinorOpen);
  return TESTS[sign]?.(constraint, found, order) === true;
}
