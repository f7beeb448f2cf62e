import type { Sample } from '../live/samples.ts';

export interface Chart {
  /** `d` of the line and of the area below it, in a box of the given size. */
  line: string;
  area: string;
  max: number;
  marks: { x: number; stage: string }[];
}

/** The rate over time, from zero up, with a mark where a stage began. Undefined until there is a line to draw. */
export function chartOf(samples: readonly Sample[], width: number, height: number): Chart | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  const max = Math.max(...samples.map(({ rate }) => rate), 0);
  if (first === undefined || last === undefined || last.at <= first.at || max === 0) return undefined;
  const x = (at: number): number => ((at - first.at) * width) / (last.at - first.at);
  const y = (rate: number): number => height - (rate * height) / max;
  const points = samples.map(({ at, rate }) => `${x(at).toFixed(1)},${y(rate).toFixed(1)}`);
  const line = `M${points.join('L')}`;
  const marks = samples.flatMap(({ at, stage }, index) =>
    index > 0 && stage !== samples[index - 1]?.stage ? [{ x: x(at), stage }] : [],
  );
  return { line, area: `${line}L${String(width)},${String(height)}L0,${String(height)}Z`, max, marks };
}
