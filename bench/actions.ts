/**
 * Actions: small renders a second, and the memory of kando while it pushes a large backup.
 * Judged: 20 000 renders a second of CPU time, and 150 MB for 2 GiB (Kanister took 1.4 GB for 500 MiB).
 *
 *   npm run bench -- actions [--only renders|kando] [--mib 2048]
 */
import { parseArgs } from 'node:util';
import { isBuilt } from '../test/bed/cache.ts';
import { partNamed } from '../test/bed/parts.ts';
import { measurePush, type PushFigures } from './actions-kando.ts';
import { rendersPerSecond } from './actions-renders.ts';

const LEAST_RENDERS = 20_000;
const MAX_RSS_MB = 150;

const { values } = parseArgs({ options: { only: { type: 'string' }, mib: { type: 'string', default: '2048' } } });
const wants = (part: string): boolean => values.only === undefined || values.only === part;

function judge(name: string, figure: string, isGood: boolean): void {
  console.log(`${isGood ? '✓' : '✕'} ${name.padEnd(34)} ${figure}`);
  if (!isGood) process.exitCode = 1;
}

function judgePush(where: string, mib: number, { peakMb, seconds }: PushFigures): void {
  const figure = `${peakMb.toFixed(0)} MB at most, ${(mib / seconds).toFixed(0)} MiB/s  (at most ${MAX_RSS_MB} MB)`;
  judge(`kando location push, ${mib} MiB, ${where}`, figure, peakMb <= MAX_RSS_MB);
}

if (wants('renders')) {
  const renders = rendersPerSecond();
  judge('small renders a second', `${renders.toFixed(0)}  (at least ${LEAST_RENDERS})`, renders >= LEAST_RENDERS);
}
if (wants('kando')) {
  const mib = Number(values.mib);
  judgePush('directory', mib, await measurePush('fs', mib));
  if (isBuilt(partNamed('versitygw'))) judgePush('S3', mib, await measurePush('s3', mib));
  else console.log('- S3 was left out: versitygw is not built, run npm run bed -- build');
}
