import { parseGoDuration } from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import { BYTE_SIZE, parseByteSize } from './byte-size.ts';
import { cleanProgress, type CopyProgress } from './copy-progress.ts';

const COUNT = String.raw`\d{1,15}`;
const LINE = new RegExp(
  String.raw`^ ?[|/\\*-] (?<hashing>${COUNT}) hashing, (?<hashed>${COUNT}) hashed \((?<hashedSize>${BYTE_SIZE})\), ` +
    String.raw`(?<cached>${COUNT}) cached \((?<cachedSize>${BYTE_SIZE})\), uploaded (?<uploaded>${BYTE_SIZE})` +
    String.raw`(?: \((?<fatal>${COUNT}) fatal errors\))?(?: \(${COUNT} errors ignored\))?, ` +
    String.raw`(?:estimating\.\.\.|estimated (?<estimated>${BYTE_SIZE}) \([\d.]{1,20}%\) (?<left>\S{1,40}) left) *$`,
);

/**
 * One line of `kopia snapshot create --progress`; undefined for any other. What is done are the bytes that were hashed
 * and those found unchanged (cached): kopia's own percent is the same, but may exceed 100.
 */
export function parseKopiaSnapshot(line: string): CopyProgress | undefined {
  const found = LINE.exec(line)?.groups;
  if (found === undefined) return undefined;
  const size = (name: string): number | undefined => parseByteSize(found[name] ?? '');
  const reused = size('cachedSize') ?? 0;
  const left = found['left'] === undefined ? undefined : parseGoDuration(found['left']);
  return cleanProgress(
    present({
      bytesDone: (size('hashedSize') ?? 0) + reused,
      totalBytes: size('estimated'),
      bytesReused: reused,
      bytesUploaded: size('uploaded'),
      filesDone: Number(found['hashed']) + Number(found['cached']),
      problems: found['fatal'] === undefined ? undefined : Number(found['fatal']),
      secondsLeft: left === undefined ? undefined : left / 1000,
    }),
  );
}
