import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

it('the example in the guide prints what the guide says', async () => {
  const guide = await readFile(new URL('docs/guide/progress.md', ROOT), 'utf8');
  const [, code = '', printed = ''] = /```ts\n(.*?)```.*?```text\n(.*?)```/s.exec(guide) ?? [];
  expect(code).toContain('takeReport');
  const folder = await mkdtemp(join(tmpdir(), 'headway-guide-'));
  try {
    const file = join(folder, 'example.mts');
    await writeFile(file, code.replaceAll("'../../", `'${ROOT.href}`));
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 15_000 });
    expect(stdout).toBe(printed);
  } finally {
    await rm(folder, { recursive: true });
  }
});
