import type { CopyProgress } from '../../volumes/index.ts';
import { hundredths } from '../status/percent.ts';
import type { FunctionStats } from '../status/progress.ts';

/**
 * How far copies are, taken together. Sizes are those of the files: what the store got is another thing, since equal
 * parts are sent once. As long as one of them cannot tell its total, there is no percent.
 */
export function copyStats(copies: readonly (CopyProgress | undefined)[], way: 'up' | 'down'): FunctionStats {
  const known = copies.filter((copy) => copy !== undefined);
  if (known.length === 0) return { percent: 0 };
  const done = known.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  const isWhole = known.length === copies.length && known.every(({ totalBytes }) => totalBytes !== undefined);
  const total = isWhole ? known.reduce((sum, { totalBytes = 0 }) => sum + totalBytes, 0) : undefined;
  const left = copies.length === 1 ? known[0]?.secondsLeft : undefined;
  const sizes =
    way === 'up'
      ? { sizeUploadedB: done, ...(total !== undefined && { estimatedUploadSizeB: total }) }
      : { sizeDownloadedB: done, ...(total !== undefined && { estimatedDownloadSizeB: total }) };
  return {
    percent: total === undefined || total === 0 ? 0 : hundredths((done / total) * 100),
    ...sizes,
    ...(left !== undefined && { estimatedTimeSeconds: Math.ceil(left) }),
  };
}
