import { estimate, percentOf, present, UNKNOWN, type Measure } from '../../progress/index.ts';

/**
 * How far the copy of a volume is. `bytesDone`, `totalBytes` and `bytesReused` are sizes of files; what was sent to the
 * store is another thing, because equal parts are sent once and may be compressed.
 */
export interface CopyProgress {
  /** Files that were read, and those known to be as they were. */
  bytesDone: number;
  /** An estimate that may still change; absent while unknown. */
  totalBytes?: number;
  /** The part of `bytesDone` that an earlier snapshot had, so that it was not read. */
  bytesReused?: number;
  /** What the store got. */
  bytesUploaded?: number;
  filesDone?: number;
  /** As the program itself estimates. */
  secondsLeft?: number;
  /** Files that could not be copied so far. */
  problems?: number;
}

const COUNTS = ['totalBytes', 'bytesReused', 'bytesUploaded', 'filesDone', 'secondsLeft', 'problems'] as const;

/** A number as a count of something; undefined for what cannot be one. */
export function countOf(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

/** Without numbers that cannot be true: negative ones, a total that is less than what is done, more reused than done. */
export function cleanProgress(progress: CopyProgress): CopyProgress {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, countOf(progress[name])]));
  const bytesDone = countOf(progress.bytesDone) ?? 0;
  const { totalBytes, bytesReused } = counts;
  return present({
    bytesDone,
    ...counts,
    totalBytes: totalBytes !== undefined && totalBytes >= bytesDone ? totalBytes : undefined,
    bytesReused: bytesReused === undefined ? undefined : Math.min(bytesReused, bytesDone),
  });
}

/**
 * The newest word of a program, but what is done never falls: programs print while they count in several threads. What
 * the new word leaves out, such as the files of another grammar, stays as it was.
 */
export function advance(before: CopyProgress | undefined, next: CopyProgress): CopyProgress {
  if (before === undefined) return cleanProgress(next);
  const most = (name: 'bytesReused' | 'bytesUploaded' | 'filesDone' | 'problems'): number | undefined => {
    const [had, has] = [countOf(before[name]), countOf(next[name])];
    return had === undefined ? has : Math.max(had, has ?? 0);
  };
  return cleanProgress({
    ...present({
      totalBytes: next.totalBytes ?? before.totalBytes,
      bytesReused: most('bytesReused'),
      bytesUploaded: most('bytesUploaded'),
      filesDone: most('filesDone'),
      problems: most('problems'),
      secondsLeft: next.secondsLeft,
    }),
    bytesDone: Math.max(countOf(before.bytesDone) ?? 0, countOf(next.bytesDone) ?? 0),
  });
}

/** For a meter. The total stays an estimate until the copy has ended well. */
export function copyMeasure({ bytesDone, totalBytes }: CopyProgress): Measure {
  return { unit: 'bytes', done: bytesDone, total: totalBytes === undefined ? UNKNOWN : estimate(totalBytes) };
}

/** At most 99: kopia says 100 % and more before the last bytes are stored, and only its exit code tells of success. */
export function copyPercent(progress: CopyProgress): number | undefined {
  const percent = percentOf(copyMeasure(cleanProgress(progress)));
  return percent === undefined ? undefined : Math.min(99, percent);
}
