import { AppError } from '../base/index.ts';

type Stop = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** The part of `process` that this needs. */
export interface SignalHost {
  on(event: Stop, listener: () => void): unknown;
  exit(code: number): unknown;
}

const EXIT_CODES: Readonly<Record<Stop, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
/** One Ctrl-C under `npm start` may come twice: from the terminal, and once more from npm. Nobody presses this fast. */
const SAME_MS = 300;

/**
 * The first signal aborts, and everything stops in order; a terminal that is closed counts as well. A later one means
 * that somebody has lost patience: the process ends at once, which loses nothing, because status is the truth.
 */
export function stopOnSignals(host: SignalHost, now: () => number = () => performance.now()): AbortSignal {
  const stop = new AbortController();
  let firstAt = 0;
  for (const name of Object.keys(EXIT_CODES) as Stop[]) {
    host.on(name, () => {
      if (!stop.signal.aborted) {
        firstAt = now();
        stop.abort(new AppError('canceled', `stopped by ${name}`));
      } else if (now() - firstAt >= SAME_MS) host.exit(EXIT_CODES[name]);
    });
  }
  return stop.signal;
}
