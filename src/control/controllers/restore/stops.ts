import { AppError, isAppError, type Clock } from '../../../base/index.ts';

/** Why a running restore is to stop. Only a cancel is an end; after the others somebody else decides. */
export const CANCELED: AppError = new AppError(
  'canceled',
  'the restore was canceled by the annotation headway.io/cancel',
  {
    details: { isCancel: true },
  },
);
export const DELETED: AppError = new AppError('canceled', 'the restore was deleted');

/** How long a request that is under way may take after a cancel. */
const GRACE_MS = 2_000;

/** Follows the signal, at once or, after a cancel, a little later. */
export function withGrace(signal: AbortSignal, clock: Clock): AbortSignal {
  const late = new AbortController();
  const follow = (): void => {
    late.abort(signal.reason);
  };
  const stop = (): void => {
    if (isCancel(signal.reason)) void clock.sleep(GRACE_MS).then(follow);
    else follow();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return late.signal;
}

export function isCancel(reason: unknown): boolean {
  return isAppError(reason) && reason.details?.['isCancel'] === true;
}
