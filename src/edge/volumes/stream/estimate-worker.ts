import { lstatSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { treeAt, walkTree } from '../tree-walk.ts';

/** A thread that adds up the sizes of all files and exits. */
const MAX_SEEN = 200_000;
const root = workerData as string;
const at = treeAt(root);
const seen = new Set<string>();
let bytes = 0;
for (const { path, kind } of walkTree(root, () => undefined)) {
  if (kind !== 'file') continue;
  const stats = lstatSync(at(path), { throwIfNoEntry: false });
  if (stats === undefined) continue;
  // A file with several names is packed once.
  if (stats.nlink > 1) {
    const inode = `${stats.dev}:${stats.ino}`;
    if (seen.has(inode)) continue;
    if (seen.size < MAX_SEEN) seen.add(inode);
  }
  bytes += stats.size;
}
parentPort?.postMessage(bytes);
