import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const OURS = 0o700;

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
  await chmod(path, OURS).catch(() => undefined);
  for (const name of await readdir(path).catch(() => [])) await openFolders(join(path, name));
}

/** The same before anything else may happen: all files of a cluster that is not running. */
export function removeFiles(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    openFoldersNow(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function openFoldersNow(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, OURS);
  for (const name of readdirSync(path)) openFoldersNow(join(path, name));
}
