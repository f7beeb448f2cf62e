import { AppError } from '../../base/index.ts';

export interface Wait {
  limitMs: number;
  /** What is waited for; it begins the error message. */
  what: string;
  signal?: AbortSignal | undefined;
}

/**
 * Runs the work with a signal that is aborted at the limit or by the caller, and does not wait for work that ignores
 * the signal. At the limit it throws `timeout`; if the caller aborted, the caller's reason.
 */
export async function within<T>(wait: Wait, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  wait.signal?.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const controller = new AbortController();
  const end = (reason: unknown): void => {
    reject(reason);
    controller.abort(reason);
  };
  const timer = setTimeout(() => {
    end(new AppError('timeout', `${wait.what}: no answer within ${wait.limitMs} ms`));
  }, wait.limitMs);
  const onAbort = (): void => {
    end(wait.signal?.reason);
  };
  wait.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    wait.signal?.removeEventListener('abort', onAbort);
  }
}
