/** Long enough for three reports of a mover that reports every 10 s, short enough to follow a change of speed. */
export const WINDOW_SECONDS = 60;

interface Bucket {
  readonly second: number;
  readonly amount: number;
  readonly samples: number;
}

/** What was done in each of the last seconds. The first count is the baseline: it says nothing about speed. */
export interface RateWindow {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly done: number;
  readonly buckets: readonly Bucket[];
}

export interface Rate {
  perSecond: number;
  /** How many advances, and how many seconds, the rate is based on. */
  samples: number;
  spanSeconds: number;
}

export function startWindow(done: number, now: number): RateWindow {
  return { startedAt: now, lastAt: now, done, buckets: [] };
}

/** Records that `done` was reached. A clock that was set back restarts the window. */
export function recordDone(window: RateWindow, done: number, now: number): RateWindow {
  if (done <= window.done) return window;
  if (now < window.lastAt) return startWindow(done, now);
  const second = Math.floor(now / 1000);
  const amount = done - window.done;
  const kept = window.buckets.filter((bucket) => bucket.second >= oldestSecond(now));
  const last = kept.at(-1);
  const buckets =
    last?.second === second
      ? [...kept.slice(0, -1), { second, amount: last.amount + amount, samples: last.samples + 1 }]
      : [...kept, { second, amount, samples: 1 }];
  return { startedAt: window.startedAt, lastAt: now, done, buckets };
}

/** Undefined before one second has passed; falls towards 0 while nothing is done. */
export function rateOf(window: RateWindow, now: number): Rate | undefined {
  const oldest = oldestSecond(now);
  const spanSeconds = (now - Math.max(window.startedAt, oldest * 1000)) / 1000;
  if (spanSeconds < 1 || now < window.lastAt) return undefined;
  let amount = 0;
  let samples = 0;
  for (const bucket of window.buckets) {
    if (bucket.second < oldest) continue;
    amount += bucket.amount;
    samples += bucket.samples;
  }
  return { perSecond: amount / spanSeconds, samples, spanSeconds };
}

function oldestSecond(now: number): number {
  return Math.floor(now / 1000) - WINDOW_SECONDS + 1;
}
