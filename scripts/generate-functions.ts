/** docs/reference/functions.md: the functions of Blueprints, as they are declared. */
import { FUNCTIONS, type FunctionDeclaration } from '../src/core/action/index.ts';
import type { Files } from './generate.ts';

const PATH = 'docs/reference/functions.md';

const PROGRESS = {
  bytes: 'bytes of the tool that moves the data',
  thirds: 'prerequisites, execution, cleanup: 33.33, 66.66, 100.00',
  once: '0.00 until it is done',
} as const;
const RESUME = {
  pod: 'its pod is found again by its name',
  repeat: 'its calls are made again',
  fail: 'it fails, unless its phase has `retries`',
} as const;

function section({ name, doc, arguments: args, outputs, ...declaration }: FunctionDeclaration): string[] {
  const rows = Object.entries(args).map(
    ([argument, { type, isRequired, doc: meaning }]) =>
      `| \`${argument}\` | ${type} | ${isRequired ? 'yes' : ''} | ${meaning} |`,
  );
  if (declaration.unsupported !== undefined)
    return [`## ${name}`, '', `${doc} Not supported: ${declaration.unsupported}.`, ''];
  const returned =
    outputs === 'kando'
      ? 'what its command prints by `kando output`'
      : outputs.map((output) => `\`${output}\``).join(', ');
  return [
    `## ${name}`,
    '',
    doc,
    '',
    '| argument | type | required | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    `- Returns: ${returned === '' ? 'nothing' : returned}.`,
    `- Progress: ${PROGRESS[declaration.progress]}.`,
    `- When the server restarts: ${RESUME[declaration.resume]}.`,
    ...(declaration.oneOf ?? []).map(
      (names) => `- Only one of ${names.map((argument) => `\`${argument}\``).join(' and ')}.`,
    ),
    ...(declaration.needsProfile === true ? ['- Needs a Profile.'] : []),
    '',
  ];
}

export function generate(): Files {
  const lines = [
    '# Functions of Blueprints',
    '',
    'Generated from `src/core/action/functions` by `npm run generate`. Arguments are templates unless a function says otherwise; numbers',
    'are read as text, digits as numbers and a single value as a list of one, as in Kanister.',
    '',
    ...FUNCTIONS.flatMap(section),
  ];
  return new Map([[PATH, lines.join('\n')]]);
}
