import type { SlotLimits } from './slots.ts';
import type { Uploader } from './task.ts';

/** How this server runs movers. */
export interface MoverSettings extends SlotLimits {
  /** For volumes of backups; a restore takes what the backup was made with. */
  uploader: Uploader;
  /** The image with `headway` and kopia in it. */
  image: string;
  /** Of the machine that this server runs on: only there can a mover see its directories. */
  machineId?: string | undefined;
}

export const DEFAULT_MOVERS = { movers: 8, moversPerNode: 2 } as const;
