/** docs/reference/errors.md from the one table of error codes. */
import { ERROR_CODES } from '../src/base/index.ts';
import type { Files } from './generate.ts';

const FAMILIES = {
  invalid: 'you can fix it; it is not tried again',
  transient: 'the world will change; it is tried again with backoff',
  bug: 'ours; please report it',
} as const;

export function generate(): Files {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { family, httpStatus, exitCode, reason }]) =>
      `| \`${code}\` | ${family} | ${String(httpStatus)} | ${String(exitCode)} | \`${reason}\` |`,
  );
  const families = Object.entries(FAMILIES).map(([name, meaning]) => `- **${name}**: ${meaning}.`);
  const text = [
    '# Errors',
    '',
    'Every error of Headway has one of these codes. It decides whether trying again helps, the HTTP status, the exit',
    'code of the command line and the reason of the condition on the object.',
    '',
    ...families,
    '',
    '| code | family | HTTP | exit code | condition reason |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
  return new Map([['docs/reference/errors.md', text.join('\n')]]);
}
