import type { Clock } from '../../../base/index.ts';
import type { RemotePlugin, VolumeCall } from '../../../edge/volumes/index.ts';
import type { MoverCall } from './task.ts';

/** Often enough that a number is never much older than the line it came with. */
const LOOK_MS = 50;

/** While a plugin works, its progress is asked for, and told when it has changed. */
export async function watched<T>(
  { plugin, id, clock }: { plugin: RemotePlugin; id: string; clock: Clock },
  { signal, onNote, onProgress }: MoverCall,
  work: (quiet: VolumeCall) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const look = async (): Promise<void> => {
    let last = '';
    while (!over.signal.aborted) {
      const now = await plugin.progress(id);
      const text = JSON.stringify(now);
      if (now !== undefined && text !== last) onProgress?.(now);
      last = text;
      // Aborted when the work is over.
      await clock.sleep(LOOK_MS, over.signal).catch(() => undefined);
    }
  };
  const looking = look();
  try {
    return await work({ signal, onNote });
  } finally {
    over.abort();
    await looking;
  }
}
