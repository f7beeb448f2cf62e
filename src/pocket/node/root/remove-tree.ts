import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder that containers wrote to, also where they took the right to look into it from us. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // The kernel's own folders in a layer cannot be read by their owner either.
    await openFolders(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openFolders(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts?.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  const names = await readdir(path).catch(() => []);
  for (const name of names) await openFolders(join(path, name));
}
