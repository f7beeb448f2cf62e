import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { ProjectedFile } from './projection.ts';

const DATA = '..data';

/**
 * Shows these files in a folder, and no others, all changed at one moment: they are in a folder of their own, a link leads
 * there, and links beside it lead through that one. Programs watch for that link to change.
 */
export async function showFiles(dir: string, files: readonly ProjectedFile[], stamp: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o755 });
  const before = await readlink(join(dir, DATA)).catch(() => undefined);
  if (before !== undefined && (await isSame(join(dir, before), files))) return;
  const name = await freeName(dir, `..${stamp}`);
  for (const { path, content, mode } of files) {
    const file = join(dir, name, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(file, content);
    // Whatever the umask is.
    await chmod(file, mode);
  }
  await mkdir(join(dir, name), { recursive: true, mode: 0o755 });
  // One of a cluster that was killed just here may be left.
  await rm(join(dir, `${DATA}_tmp`), { force: true });
  await symlink(name, join(dir, `${DATA}_tmp`));
  await rename(join(dir, `${DATA}_tmp`), join(dir, DATA));
  const shown = new Set(files.map(({ path }) => posix.normalize(path).split('/')[0] ?? ''));
  for (const top of shown) await symlink(`${DATA}/${top}`, join(dir, top)).catch(ignoreExisting);
  for (const old of await readdir(dir)) {
    const isShown = shown.has(old) || old === DATA || old === name;
    if (!isShown) await rm(join(dir, old), { recursive: true, force: true });
  }
}

async function isSame(dir: string, files: readonly ProjectedFile[]): Promise<boolean> {
  const there = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  if (there.filter((entry) => entry.isFile()).length !== files.length) return false;
  for (const { path, content } of files) {
    const now = await readFile(join(dir, path)).catch(() => undefined);
    if (now === undefined || !now.equals(content)) return false;
  }
  return true;
}

/** Two changes within a second have the same stamp. */
async function freeName(dir: string, wanted: string): Promise<string> {
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? wanted : `${wanted}.${number}`;
    if ((await lstat(join(dir, name)).catch(() => undefined)) === undefined) return name;
  }
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}
