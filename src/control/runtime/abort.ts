import type { AppError, Clock } from '../../base/index.ts';

export interface ChildAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Must be called when the work ends: the parent may live for months and would keep every child. */
  unlink(): void;
}

/** An AbortController of its own that also follows the parent's signal. */
export function childAbort(parent: AbortSignal): ChildAbort {
  const controller = new AbortController();
  const follow = (): void => {
    controller.abort(parent.reason);
  };
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    unlink: () => {
      parent.removeEventListener('abort', follow);
    },
  };
}

/** A signal that follows the parent's and is aborted by itself after a time. `end` must be called when the work ends. */
export function timeLimit(
  parent: AbortSignal,
  ms: number,
  { clock, late }: { clock: Clock; late: () => AppError },
): { readonly signal: AbortSignal; end(): void } {
  const limit = childAbort(parent);
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => {
      limit.abort(late());
    },
    // It ended in time.
    () => undefined,
  );
  return {
    signal: limit.signal,
    end: () => {
      over.abort();
      limit.unlink();
    },
  };
}

/** Resolves when one of the signals is aborted, and leaves no listener behind. */
export async function firstAborted(signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const listener = (): void => {
    resolve(undefined);
  };
  for (const signal of signals) signal.addEventListener('abort', listener, { once: true });
  await promise;
  for (const signal of signals) signal.removeEventListener('abort', listener);
}

/** False if the time runs out first; the promise itself continues. */
export async function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const timer = new AbortController();
  const settled = work.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(ms, timer.signal).then(
    () => false,
    // Aborted below, when nobody waits for it any more.
    () => false,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    timer.abort();
  }
}
