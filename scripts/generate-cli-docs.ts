/** docs/reference/cli.md: what `--help` of every command prints, so that the page cannot be older than the program. */
import { helpTexts } from '../src/cli/index.ts';
import type { Files } from './generate.ts';

export function generate(): Files {
  const sections = helpTexts().map(({ command, help }) => `## ${command}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`);
  const head = '# Command line\n\nThe program’s own help, command by command.\n\n';
  return new Map([['docs/reference/cli.md', head + sections.join('\n')]]);
}
