import type { Report } from '../progress/index.ts';

/** One point of the throughput chart. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  rate: number;
  stage: string;
}

const MAX_SAMPLES = 240;

/** The whole journey in bounded memory: when there are too many points, every other one is left out. */
export function addSample(samples: readonly Sample[], report: Report, now: number): readonly Sample[] {
  if (report.state !== 'running') return samples;
  const sample = { at: now, rate: report.ratePerSecond ?? 0, stage: report.stage ?? '' };
  const kept = samples.length < MAX_SAMPLES ? samples : samples.filter((_, at) => at % 2 === 0);
  return [...kept, sample];
}
