import { addMeasures, estimate, exact, percentOf, type Measure } from '../../progress/index.ts';

/**
 * What lines of progress for people tell in numbers: MTC's, in `pipeline[].progress` and on the condition Running. A line
 * in other words, or in another language, tells none.
 */
export interface LineNumbers {
  measures: Measure[];
  /** The mean of the percents of single things, such as volumes; those that tell none count as 0. */
  percent?: number;
}

const MAX_LINE = 1000;
/** `6 out of estimated total of 9 objects backed up`, `6 out of 9 objects restored` */
const ITEMS = /(?:^|[ :.])(\d{1,15}) out of (?:estimated total of )?(\d{1,15})(?: |$)/;
/** `12.30 MB out of 1.20 GB backed up` */
const BYTES =
  /(?:^|[ :.])(\d{1,15}(?:\.\d{1,9})?) (bytes|[kMGTPE]B) out of (\d{1,15}(?:\.\d{1,9})?) (bytes|[kMGTPE]B)(?: |$)/;
/** Seed 000: `6/9 items backed up` */
const SHARE = /^(\d{1,15})\/(\d{1,15})(?: |$)/;
/** `2 total volumes; 1 successful; 1 running; 0 failed` */
const HEADLINE = /^(\d{1,9}) total \w+; /;
const ENDED = /; (\d{1,9}) (?:successful|failed|deleted)\b/g;
/** `[data] app/dvm-rsync-x2: Running - Attempt 2 of 20 45% (Transfer rate 9.76MB/s) (20s)` */
const PERCENT = /(?:^|[ (])(\d{1,3})(?:\.\d{1,9})? ?%(?: |\)|$)/;
const ONE_THING = /^\[[^\]]{1,253}\] /;
/** Of a volume whose size nobody has told yet. */
const WAITING = /^(?:PodVolumeBackup|PodVolumeRestore) \S+: (?!.* out of )/;
const SI: Readonly<Record<string, number>> = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15, EB: 1e18 };

export function readLines(lines: readonly string[]): LineNumbers {
  const cut = lines.map((line) => line.slice(0, MAX_LINE));
  const things = cut.filter((line) => ONE_THING.test(line) || (PERCENT.test(line) && measureIn(line) === undefined));
  const others = cut.filter((line) => !things.includes(line));
  const percents = things.map(percentIn);
  if (percents.some((percent) => percent !== undefined)) {
    const sum = percents.reduce<number>((all, percent) => all + (percent ?? 0), 0);
    const count = Math.max(things.length, ...others.map((line) => Number(HEADLINE.exec(line)?.[1] ?? 0)));
    return { measures: addMeasures(others.flatMap((line) => measureIn(line) ?? [])), percent: sum / count };
  }
  return { measures: addMeasures(others.flatMap((line) => measureIn(line) ?? [])) };
}

/** What one line counts. */
function measureIn(line: string): Measure | undefined {
  const bytes = BYTES.exec(line);
  if (bytes !== null) return { unit: 'bytes', done: sizeOf(bytes, 1), total: estimate(sizeOf(bytes, 3)) };
  const items = ITEMS.exec(line) ?? SHARE.exec(line);
  if (items !== null) return { unit: 'items', done: Number(items[1]), total: estimate(Number(items[2])) };
  if (WAITING.test(line)) return { unit: 'bytes', done: 0, total: { kind: 'unknown' } };
  const [, total] = HEADLINE.exec(line) ?? [];
  if (total === undefined) return undefined;
  const ended = [...line.matchAll(ENDED)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { unit: 'items', done: ended, total: exact(Number(total)) };
}

function sizeOf(found: RegExpExecArray, at: number): number {
  return Math.floor(Number(found[at]) * (SI[found[at + 1] ?? ''] ?? 1));
}

function percentIn(line: string): number | undefined {
  const percent = Number(PERCENT.exec(line)?.[1] ?? NaN);
  return percent <= 100 ? percent : undefined;
}

/** How far all of it is together, if that can be said: what counts nothing hides nothing, and what is unknown stays so. */
export function linesPercent({ measures, percent }: LineNumbers): number | undefined {
  if (percent !== undefined) return percent;
  const percents = measures.map(percentOf);
  if (percents.length === 0 || percents.some((each) => each === undefined)) return undefined;
  return Math.min(...percents.map(Number));
}
