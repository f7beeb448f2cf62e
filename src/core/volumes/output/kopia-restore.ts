import { parseGoDuration } from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import { BYTE_SIZE, parseByteSize } from './byte-size.ts';
import { cleanProgress, type CopyProgress } from './copy-progress.ts';

const COUNT = String.raw`\d{1,15}`;
const LINE = new RegExp(
  String.raw`^Processed (?<done>${COUNT}) \((?<doneSize>${BYTE_SIZE})\) of ${COUNT} \((?<totalSize>${BYTE_SIZE})\)` +
    String.raw`(?:, skipped ${COUNT} \((?<skippedSize>${BYTE_SIZE})\))?(?:, ignored (?<ignored>${COUNT}) errors)?` +
    String.raw`(?: ${BYTE_SIZE}/s \([\d.]{1,20}%\) remaining (?<left>\S{1,40}?))?\. *$`,
);

/**
 * One line of `kopia restore --progress`; undefined for any other. Its total is what was found so far and grows, so
 * whoever knows the size of the snapshot should prefer that.
 */
export function parseKopiaRestore(line: string): CopyProgress | undefined {
  const found = LINE.exec(line)?.groups;
  if (found === undefined) return undefined;
  const size = (name: string): number | undefined => parseByteSize(found[name] ?? '');
  const left = found['left'] === undefined ? undefined : parseGoDuration(found['left']);
  return cleanProgress(
    present({
      // Skipped files are there already; kopia counts them among the files and not among the bytes.
      bytesDone: (size('doneSize') ?? 0) + (size('skippedSize') ?? 0),
      totalBytes: size('totalSize'),
      bytesReused: size('skippedSize'),
      filesDone: Number(found['done']),
      problems: found['ignored'] === undefined ? undefined : Number(found['ignored']),
      secondsLeft: left === undefined ? undefined : left / 1000,
    }),
  );
}
