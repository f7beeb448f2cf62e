import { AppError } from '../base/index.ts';

/** The part of `process` that this needs. */
export interface SignalHost {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * The first SIGTERM or SIGINT aborts the signal, and everything stops in order. A second one means that somebody
 * has lost patience: the process ends at once, which loses nothing, because status is the truth.
 */
export function stopOnSignals(host: SignalHost): AbortSignal {
  const stop = new AbortController();
  const on = (name: 'SIGTERM' | 'SIGINT'): void => {
    host.on(name, () => {
      if (stop.signal.aborted) host.exit(EXIT_CODES[name]);
      else stop.abort(new AppError('canceled', `stopped by ${name}`));
    });
  };
  on('SIGTERM');
  on('SIGINT');
  return stop.signal;
}
