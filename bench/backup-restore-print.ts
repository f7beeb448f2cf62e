/** The tables of bench/backup-restore.ts, and what issue 6 asks for. */
import type { Figures } from './backup-restore-bed.ts';
import type { ProgressCost } from './backup-restore-progress.ts';

export interface Measured {
  count: number;
  /** Seconds of the bare loops. */
  bareCreate: number;
  bareList: number;
  headway?: { backup: Figures; restore: Figures };
  velero?: { backup: Figures; restore: Figures };
  progress?: ProgressCost;
}

interface Target {
  what: string;
  /** Undefined when the run had no part that tells. */
  value: number | undefined;
  isMet: (value: number) => boolean;
  wanted: string;
  unit: 'x' | '%' | ' MB';
}

/** Time an object must not grow with their number; this much is noise. */
const LINEAR = 1.3;

export function printSizes(results: readonly Measured[]): void {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.padStart(12)).join(' | ')} |`;
  const heads = ['objects', 'bare create', 'backup', 'ms/object', 'restore', 'ms/object', 'restore cpu', 'peak'];
  console.log(`\nHeadway\n${row(heads)}\n${row(heads.map(() => '-----------:'))}`);
  for (const { count, bareCreate, headway } of results) {
    if (headway === undefined) continue;
    const { backup, restore } = headway;
    const each = (seconds: number): string => ((seconds * 1000) / count).toFixed(2);
    const s = (seconds: number): string => `${seconds.toFixed(1)} s`;
    const cells = [s(bareCreate), s(backup.seconds), each(backup.seconds), s(restore.seconds), each(restore.seconds)];
    console.log(row([String(count), ...cells, s(restore.cpuSeconds), `${restore.peakMb.toFixed(0)} MB`]));
  }
}

/** True when no target was missed. One that was not measured is named, and is not missed. */
export function printTargets(results: readonly Measured[]): boolean {
  console.log('\nTargets');
  let isGood = true;
  for (const { what, value, isMet, wanted, unit } of targetsOf(results)) {
    const isMissed = value !== undefined && !isMet(value);
    isGood &&= !isMissed;
    const shown = value === undefined ? 'not measured' : `${value.toFixed(unit === 'x' ? 2 : 1)}${unit}`;
    const verdict = value === undefined ? '' : isMissed ? '  MISSED' : '  met';
    console.log(`  ${what.padEnd(52)} ${wanted.padStart(10)} ${shown.padStart(13)}${verdict}`);
  }
  return isGood;
}

function targetsOf(results: readonly Measured[]): Target[] {
  const main = results.find(({ count }) => count === 10_000);
  const { headway, velero, progress, bareCreate } = main ?? {};
  const large = results.find(({ count }) => count === 100_000)?.headway;
  const atLeast = (least: number) => (value: number) => value >= least;
  const below = (most: number) => (value: number) => value < most;
  const restored = headway?.restore.seconds;
  return [
    {
      what: "restore's speed, of the bare create loop's",
      value: per(bareCreate, restored, 100),
      ...{ isMet: atLeast(80), wanted: '>= 80%', unit: '%' },
    },
    {
      what: "restore, against Velero's time",
      value: per(velero?.restore.seconds, restored),
      ...{ isMet: atLeast(12), wanted: '>= 12x', unit: 'x' },
    },
    {
      what: "backup, against Velero's time",
      value: per(velero?.backup.seconds, headway?.backup.seconds),
      ...{ isMet: atLeast(8), wanted: '>= 8x', unit: 'x' },
    },
    {
      what: "processor time of a restore, of Velero's",
      value: per(headway?.restore.cpuSeconds, velero?.restore.cpuSeconds, 100),
      ...{ isMet: (value) => value <= 100 / 3, wanted: '<= 33.3%', unit: '%' },
    },
    {
      what: 'peak memory at 10 000 objects',
      value: headway?.restore.peakMb,
      ...{ isMet: below(200), wanted: '< 200 MB', unit: ' MB' },
    },
    {
      what: 'peak memory at 100 000 objects',
      value: large?.restore.peakMb,
      ...{ isMet: below(350), wanted: '< 350 MB', unit: ' MB' },
    },
    {
      what: 'what progress adds to the time of a restore',
      value: progress?.seconds,
      ...{ isMet: below(2), wanted: '< 2%', unit: '%' },
    },
    {
      what: 'what progress adds to its processor time',
      value: progress?.cpuSeconds,
      ...{ isMet: below(2), wanted: '< 2%', unit: '%' },
    },
    {
      what: 'time of a restored object, largest against smallest',
      value: growth(results),
      ...{ isMet: below(LINEAR), wanted: `< ${String(LINEAR)}x`, unit: 'x' },
    },
  ];
}

function per(over: number | undefined, under: number | undefined, scale = 1): number | undefined {
  return over === undefined || under === undefined ? undefined : (over / under) * scale;
}

function growth(results: readonly Measured[]): number | undefined {
  const measured = results.filter(({ headway }) => headway !== undefined).toSorted((a, b) => a.count - b.count);
  const each = ({ count, headway }: Measured): number => (headway?.restore.seconds ?? 0) / count;
  const [first, last] = [measured[0], measured.at(-1)];
  return first === undefined || last === undefined || first === last ? undefined : each(last) / each(first);
}
