import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PODS } from '../controllers/kinds/index.ts';
import type { ControlClient } from '../controllers/ports.ts';
import { removeTree } from './root/index.ts';

/** What a cluster that was killed has left: files of containers that are gone, and of pods that nobody knows any more. */
export async function removeLeftovers(client: ControlClient, podsDir: string): Promise<void> {
  const known = new Set(client.list(PODS).map(({ metadata }) => metadata.uid));
  const left = await readdir(podsDir).catch(() => []);
  for (const uid of left) {
    // The volumes and logs of a pod that is still there stay.
    await removeTree(known.has(uid) ? join(podsDir, uid, 'containers') : join(podsDir, uid));
  }
}
