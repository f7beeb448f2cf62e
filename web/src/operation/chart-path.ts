import { formatDuration } from '../../../src/base/index.ts';
import type { Sample } from '../../../src/core/operations/index.ts';

export interface Chart {
  /** `d` of the line and of the area below it, in a box of the given size. */
  line: string;
  area: string;
  /** The highest rate there was. */
  max: number;
  /** Rates with a line across, and times since the first sample. */
  rates: { y: number; rate: number }[];
  times: { x: number; text: string }[];
  marks: { x: number; stage: string; isNamed: boolean }[];
}

/** Names that are nearer than this would lie on each other. */
const NAME_WIDTH = 72;

/** The rate over time, from zero up, with a mark where a stage began. Undefined until there is a line to draw. */
export function chartOf(samples: readonly Sample[], width: number, height: number): Chart | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  const max = Math.max(...samples.map(({ rate }) => rate), 0);
  if (first === undefined || last === undefined || last.at <= first.at || max === 0) return undefined;
  const rates = rateTicks(max);
  const top = rates.at(-1) ?? max;
  const x = (at: number): number => ((at - first.at) * width) / (last.at - first.at);
  const y = (rate: number): number => height - (rate * height) / top;
  const points = samples.map(({ at, rate }) => `${x(at).toFixed(1)},${y(rate).toFixed(1)}`);
  const line = `M${points.join('L')}`;
  return {
    line,
    area: `${line}L${String(width)},${String(height)}L0,${String(height)}Z`,
    max,
    rates: rates.map((rate) => ({ y: y(rate), rate })),
    times: timeTicks((last.at - first.at) / 1000).map((seconds) => ({
      x: x(first.at + seconds * 1000),
      text: seconds === 0 ? '0 s' : formatDuration(seconds),
    })),
    marks: marksOf(samples, x),
  };
}

function marksOf(samples: readonly Sample[], x: (at: number) => number): Chart['marks'] {
  let named = -NAME_WIDTH;
  return samples.flatMap(({ at, stage }, index) => {
    if (index === 0 || stage === samples[index - 1]?.stage) return [];
    const isNamed = x(at) - named >= NAME_WIDTH;
    if (isNamed) named = x(at);
    return [{ x: x(at), stage, isNamed }];
  });
}

/** Zero, a middle and a top that is a round number, not below the highest rate. */
export function rateTicks(max: number): number[] {
  const power = 10 ** Math.floor(Math.log10(max));
  const top = [1, 2, 4, 6, 8, 10].map((step) => step * power).find((each) => each >= max) ?? max;
  return [0, top / 2, top];
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** Round times, at most six. */
export function timeTicks(seconds: number): number[] {
  const step = STEPS.find((each) => seconds / each <= 5) ?? 86_400 * Math.ceil(seconds / 5 / 86_400);
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step);
}
