import { AppError } from '../../../base/index.ts';

/** Why a running backup is told to stop by its controller; anything else is the end of this process's turn. */
export type StopWish = 'canceled' | 'deleted';

export function stopReason(wish: StopWish): AppError {
  return new AppError('canceled', `the backup was ${wish}`, { details: { wish } });
}

export function wishOf(signal: AbortSignal): StopWish | undefined {
  const { reason } = signal as { reason: unknown };
  const wish = reason instanceof AppError ? reason.details?.['wish'] : undefined;
  return wish === 'canceled' || wish === 'deleted' ? wish : undefined;
}
