import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { HeadwayHome } from '../headway-process.ts';

it('the example of a location in a directory works as it is printed', { timeout: 120_000 }, async () => {
  const guide = await readFile(new URL('../../docs/guide/operations.md', import.meta.url), 'utf8');
  const [, block = ''] = /## Backups in a directory\n.*?```sh\n(.*?)```/s.exec(guide) ?? [];
  expect(block).toContain('--fs-root');
  using home = new HeadwayHome();
  // As the shell does it.
  const commands = block
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('~', home.path).split(' '));
  try {
    for (const [program, ...args] of commands) {
      if (program === 'ls') expect(existsSync(join(args[0] ?? '', 'velero-backup.json'))).toBe(true);
      else if (args.at(-1) === '&') {
        const server = home.start(...args.slice(0, -1), '--listen', '127.0.0.1:0');
        await eventually(
          () => {
            expect(server.err).toContain('"msg":"serving"');
          },
          { withinMs: 30_000 },
        );
      } else expect(await home.run(...args)).toMatchObject({ code: 0 });
    }
  } finally {
    await home.run('pocket', 'down', 'example', '--purge');
  }
});
