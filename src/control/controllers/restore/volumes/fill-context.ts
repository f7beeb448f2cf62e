import { AppError } from '../../../../base/index.ts';
import type { VolumeData } from '../../../../core/volumes/index.ts';
import { stopOf } from '../../../operation/index.ts';
import type { MoverLocation } from '../../../volumes/index.ts';
import type { RestoreContext } from '../context.ts';

/** A claim that this restore created, or brings up to the backup, and the data that goes into it. */
export interface Filling {
  data: VolumeData;
  /** Where it is now; namespaces may be mapped. */
  claim: { namespace: string; name: string };
  /** It was there, with files of another time. */
  isBroughtUp?: boolean;
}

/** What all volumes of one attempt at a restore have in common. */
export interface FillContext {
  restore: RestoreContext;
  /** The name of the backup. */
  backup: string;
  location: MoverLocation;
  isVerified: boolean;
  /** Ends all of them. */
  signal: AbortSignal;
  /** Numbers have changed. */
  onProgress: () => void;
}

/** How far one volume is. */
export interface FillProgress {
  bytesDone: number;
  totalBytes?: number | undefined;
}

/** Fills one claim. Returns why it could not, or undefined; throws only when all of them end. */
export interface Fill {
  readonly progress: FillProgress;
  /** How much was removed from a claim that was brought up, such as `3 files`. */
  readonly removed?: string | undefined;
  /** Why a claim that should be brought up was not touched. */
  readonly kept?: string | undefined;
  fill(): Promise<string | undefined>;
}

/** The reason when the restore itself ends before its volumes do. */
export const BROKEN_OFF = new AppError('canceled', 'the restore has failed');

/** Whether nobody wants the volumes any more; else another process goes on with them. */
export function isCanceled({ restore: { deps } }: FillContext, signal: AbortSignal): boolean {
  return deps.mayWrite() && (signal.reason === BROKEN_OFF || stopOf(signal) !== undefined);
}
