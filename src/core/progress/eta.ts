import { cleanMeasure, percentOf, type Measure } from './measure.ts';
import type { Rate } from './rate-window.ts';

/** Law 8: less evidence than this is a guess. */
const MIN_SAMPLES = 3;
const MIN_SPAN_SECONDS = 5;
/** Beyond a month the number only says that the work crawls, and the rate says that better. */
const MAX_ETA_SECONDS = 30 * 24 * 3600;

/** Seconds until one measure is done: 0 when it is, undefined when that cannot be known. */
export function measureEta(measure: Measure, rate: Rate | undefined): number | undefined {
  const percent = percentOf(measure);
  const { done, total } = cleanMeasure(measure);
  // Also for an estimate of zero: it has no percent, and nobody knows when it will be done.
  if (percent === undefined || total.kind === 'unknown') return undefined;
  if (percent === 100) return 0;
  if (rate === undefined || rate.samples < MIN_SAMPLES || rate.spanSeconds < MIN_SPAN_SECONDS) return undefined;
  const seconds = Math.ceil((total.value - done) / rate.perSecond);
  return seconds <= MAX_ETA_SECONDS ? seconds : undefined;
}

/**
 * The operation is done when its slowest measure is. There is no ETA if one of them has none, or if everything is
 * counted: what an operation does after its last item (finalizing) has no rate.
 */
export function operationEta(etas: readonly (number | undefined)[]): number | undefined {
  let longest = 0;
  for (const eta of etas) {
    if (eta === undefined) return undefined;
    longest = Math.max(longest, eta);
  }
  return longest > 0 ? longest : undefined;
}
