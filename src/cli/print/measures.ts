import { formatBytes, formatCount } from '../../base/index.ts';
import type { Operation } from '../../core/operations/index.ts';
import { percentOf, type Measure, type Report } from '../../core/progress/index.ts';

/** What there is no evidence for is a dash, never a zero. */
export const NONE = '–';

/** `1 653 of 2 431`, `1.9 of ~4.4 GiB` (an estimate), `2 of 4 phases`, `12 items` (nobody knows of how many). */
export function formatMeasure({ unit, done, total }: Measure): string {
  const write = unit === 'bytes' ? formatBytes : formatCount;
  if (total.kind === 'unknown' || (total.kind === 'exact' && total.value === done)) {
    return unit === 'bytes' ? write(done) : `${write(done)} ${done === 1 ? unit.slice(0, -1) : unit}`;
  }
  const whole = `${total.kind === 'estimate' ? '~' : ''}${write(total.value)}`;
  // Items are what people expect; phases would be mistaken for them.
  return `${withoutSameUnit(write(done), whole)} of ${whole}${unit === 'phases' ? ' phases' : ''}`;
}

/** `1.9 GiB` of `4.4 GiB` is shorter as `1.9`. */
function withoutSameUnit(done: string, whole: string): string {
  const [amount, unit] = done.split(' ');
  return unit !== undefined && /[A-Z]/.test(unit) && whole.endsWith(` ${unit}`) ? String(amount) : done;
}

/** Where there is room for one measure: the one that the percent is of. */
export function slowestMeasure({ measures }: Report): Measure | undefined {
  const percent = (measure: Measure): number => percentOf(measure) ?? Infinity;
  return measures.toSorted((a, b) => percent(a) - percent(b))[0];
}

/** `step 3 of 6`, or `step 3 of 6, DataBackup`; undefined of what has no steps, or is through. */
export function stepText({ step }: Operation, { isNamed }: { isNamed: boolean }): string | undefined {
  if (step === undefined) return undefined;
  const name = isNamed && step.name !== '' ? `, ${step.name}` : '';
  return `step ${formatCount(step.number)} of ${formatCount(step.of)}${name}`;
}

export function formatRate(report: Report): string | undefined {
  if (report.ratePerSecond === undefined) return undefined;
  const inBytes = report.measures.some((measure) => measure.unit === 'bytes');
  const rate = report.ratePerSecond;
  // A slow one is no zero: 0.4 items a second is 24 a minute.
  const items = rate > 0 && rate < 9.95 ? String(Number(rate.toFixed(1))) : formatCount(Math.round(rate));
  return `${inBytes ? formatBytes(rate) : items}/s`;
}

/** Done, skipped, failed and rest. Without a total the bar is striped, because a share of nothing known is a lie. */
export function formatBar(report: Report, cells: number): string {
  if (report.percent === undefined) return '╱'.repeat(cells);
  const filled = Math.floor((report.percent / 100) * cells);
  const { created = 0, updated = 0, skipped = 0, failed = 0 } = report.counts ?? {};
  const settled = created + updated + skipped + failed;
  const share = (count: number): number =>
    settled === 0 || count === 0 ? 0 : Math.max(1, Math.round((count / settled) * filled));
  const failedCells = Math.min(filled, share(failed));
  const skippedCells = Math.min(filled - failedCells, share(skipped));
  const doneCells = filled - failedCells - skippedCells;
  return '█'.repeat(doneCells) + '▒'.repeat(skippedCells) + '✕'.repeat(failedCells) + '░'.repeat(cells - filled);
}
