import { AppError } from '../../../base/index.ts';

/** What a user of `kando` asked for. */
export type KandoCommand =
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  | { kind: 'output'; key: string; value: string }
  | { kind: 'push'; source: string; profile: string; path: string }
  | { kind: 'pull'; target: string; profile: string; path: string }
  | { kind: 'delete'; profile: string; path: string };

const ROOT_HELP = `kando moves data of Blueprints between pods and the location of a Profile, and hands outputs to the phase.

Usage:
  kando output KEY VALUE              hand an output to the phase
  kando location push SOURCE|-        put a file, or what comes in, into the location
  kando location pull TARGET|-        get it again
  kando location delete               delete it, and everything below it

Flags:
  -h, --help      show this help, or that of a command
      --version   show the version`;

const OUTPUT_HELP = `Hand an output to the phase; later phases see it as .Phases.NAME.Output.KEY.

Usage:
  kando output KEY VALUE

KEY has letters, digits and underscores.`;

const LOCATION_HELP = `Put data into the location of a Profile, get it again, and delete it.

Usage:
  kando location push SOURCE|- --profile JSON --path PATH
  kando location pull TARGET|- --profile JSON --path PATH
  kando location delete --profile JSON --path PATH

Flags:
  -p, --profile JSON       the Profile, as {{ toJson .Profile }} writes it
  -s, --path PATH          where in the location, below the Profile's prefix
  -o, --output-name NAME   for locations of kopia only
  -k, --kopia-snapshot J   for locations of kopia only
  -v, --verbosity LEVEL    taken, and without effect`;

/** Parts of Kanister's kando that are not here. */
const UNSUPPORTED = ['chronicle', 'stream', 'process'];

/** Flags with their short forms; all of them take a value. */
const FLAGS: Readonly<Record<string, string>> = {
  p: 'profile',
  s: 'path',
  o: 'output-name',
  k: 'kopia-snapshot',
  v: 'verbosity',
};

/** Reads a command line. Throws `usage`, `invalid` or `unsupported`. */
export function parseKando(args: readonly string[]): KandoCommand {
  const [command, ...rest] = args;
  switch (command) {
    case 'output':
      return parseOutput(rest);
    case 'location':
      return parseLocation(rest);
    case '--version':
    case 'version':
      return { kind: 'version' };
    case undefined:
    case 'help':
    case '-h':
    case '--help':
      return { kind: 'help', text: ROOT_HELP };
    default:
      if (UNSUPPORTED.includes(command)) {
        throw new AppError('unsupported', `kando ${command} is not supported; push and pull with kando location`);
      }
      throw new AppError('usage', `there is no command "${command}"; see kando --help`);
  }
}

const KEY = /^[a-zA-Z0-9_]+$/;

/** In upstream's words. A value may begin with a dash. */
function parseOutput(args: readonly string[]): KandoCommand {
  const [key = '', value = ''] = args;
  if (args.length === 1 && (key === '-h' || key === '--help')) return { kind: 'help', text: OUTPUT_HELP };
  if (args.length !== 2) {
    throw new AppError('usage', `Command accepts 2 arguments, received ${String(args.length)} arguments`);
  }
  if (key === '') throw new AppError('invalid', 'Key should not be empty');
  if (!KEY.test(key)) throw new AppError('invalid', 'Key should contain only alphanumeric characters and underscore');
  return { kind: 'output', key, value };
}

function parseLocation(args: readonly string[]): KandoCommand {
  const { words, flags, wantsHelp } = readFlags(args);
  const [verb = '', ...places] = words;
  if (wantsHelp || verb === '') return { kind: 'help', text: LOCATION_HELP };
  const wanted = verb === 'delete' ? 0 : 1;
  if (!['push', 'pull', 'delete'].includes(verb)) {
    throw new AppError('usage', `there is no command "location ${verb}"; see kando location --help`);
  }
  if (places.length !== wanted) {
    throw new AppError(
      'usage',
      `location ${verb} accepts ${String(wanted)} arguments, received ${String(places.length)}`,
    );
  }
  const profile = flags.get('profile') ?? '';
  if (profile === '') throw new AppError('usage', 'Please provide the --profile flag');
  const where = { profile, path: flags.get('path') ?? '' };
  const [place = ''] = places;
  if (verb === 'push') return { kind: 'push', source: place, ...where };
  return verb === 'pull' ? { kind: 'pull', target: place, ...where } : { kind: 'delete', ...where };
}

interface Line {
  words: string[];
  flags: Map<string, string>;
  wantsHelp: boolean;
}

/** `--flag value`, `--flag=value`, `-f value` and `-fvalue`, anywhere. */
function readFlags(args: readonly string[]): Line {
  const line: Line = { words: [], flags: new Map(), wantsHelp: false };
  for (let at = 0; at < args.length; at += 1) {
    const word = String(args[at]);
    if (word === '--') {
      line.words.push(...args.slice(at + 1));
      break;
    }
    if (word === '-h' || word === '--help') line.wantsHelp = true;
    else if (word === '-' || !word.startsWith('-')) line.words.push(word);
    else {
      const { name, value } = readFlag(word);
      const given = value ?? args[at + 1];
      if (given === undefined) throw new AppError('usage', `--${name} needs a value`);
      if (value === undefined) at += 1;
      line.flags.set(name, given);
    }
  }
  return line;
}

function readFlag(word: string): { name: string; value: string | undefined } {
  const [, long, longValue] = /^--([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
  const name = long ?? FLAGS[word.charAt(1)];
  if (name === undefined || !Object.values(FLAGS).includes(name)) {
    throw new AppError('usage', `there is no flag ${word.split('=')[0] ?? ''}; see kando location --help`);
  }
  if (long !== undefined) return { name, value: longValue };
  const rest = word.slice(2).replace(/^=/, '');
  return { name, value: rest === '' ? undefined : rest };
}
