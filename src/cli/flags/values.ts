import { InvalidArgumentError } from 'commander';
import { formatGoDuration, namespaceNameProblem, parseCron, parseGoDuration } from '../../base/index.ts';

/** Flags that stand alone or with `=true` and `=false`, as velero's do. A word after one is an argument, not its value. */
export const OPTIONAL_BOOLEANS: ReadonlySet<string> = new Set([
  '--snapshot-volumes',
  '--snapshot-move-data',
  '--default-volumes-to-fs-backup',
  '--include-cluster-resources',
  '--restore-volumes',
  '--preserve-nodeports',
  '--write-sparse-files',
  '--allow-partially-failed',
  '--use-owner-references-in-backup',
  '--paused',
  '--skip-immediately',
]);

/** Comma-separated, and the flag may be given again. */
export function parseList(text: string, previous: readonly string[] = []): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return [...previous, ...entries];
}

/** One value, and the flag may be given again; a comma is part of the value. */
export function parseAgain(text: string, previous: readonly string[] = []): string[] {
  return [...previous, text];
}

/** `key=value,key=value`, and the flag may be given again. */
export function parseMap(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  return parsePairs(text, { separator: '=', previous, example: 'key=value' });
}

/** `old:new,old:new`. */
export function parseMappings(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const mappings = parsePairs(text, { separator: ':', previous, example: 'old:new' });
  for (const target of Object.values(mappings)) {
    const problem = namespaceNameProblem(target);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
  }
  return mappings;
}

interface Pairs {
  separator: string;
  previous: Readonly<Record<string, string>>;
  example: string;
}

function parsePairs(text: string, { separator, previous, example }: Pairs): Record<string, string> {
  const pairs = new Map(Object.entries(previous));
  for (const entry of parseList(text)) {
    const at = entry.indexOf(separator);
    if (at < 1) throw new InvalidArgumentError(`expected ${example}, got "${entry}"`);
    pairs.set(entry.slice(0, at), entry.slice(at + 1));
  }
  return Object.fromEntries(pairs);
}

/** `pods=ns/a,ns/b;persistentvolumes=c`: kinds apart by semicolons, because names are apart by commas. */
export function parseOrder(text: string): Record<string, string> {
  const kinds = text.split(';').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    kinds.map((entry) => {
      const at = entry.indexOf('=');
      if (at < 1 || at === entry.length - 1) {
        throw new InvalidArgumentError(`expected kind=ns/name,ns/name;kind=…, got "${entry}"`);
      }
      return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    }),
  );
}

export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError(`expected true or false, got "${text}"`);
  return text === 'true';
}

/** As Go writes it, because stock clients compare the text. */
export function parseDuration(text: string): string {
  const ms = parseGoDuration(text);
  if (ms === undefined || ms < 0) throw new InvalidArgumentError('expected a duration such as 90s, 10m or 720h');
  return formatGoDuration(ms);
}

/** Whatever the server would refuse later, when nobody looks any more. */
export function parseSchedule(text: string): string {
  const { problems } = parseCron(text, 'UTC');
  if (problems !== undefined) throw new InvalidArgumentError(problems.join('; '));
  return text;
}

export function parseDurationMs(text: string): number {
  return parseGoDuration(parseDuration(text)) ?? 0;
}

export function parsePort(text: string): number {
  return wholeNumber(text, 1, 65_535);
}

export function parseCount(text: string): number {
  return wholeNumber(text, 1, 1000);
}

function wholeNumber(text: string, least: number, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most || text.trim() === '') {
    throw new InvalidArgumentError(`expected a whole number from ${String(least)} to ${String(most)}`);
  }
  return number;
}
