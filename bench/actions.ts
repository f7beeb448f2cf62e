/**
 * Actions: small renders a second, ActionSets on the bed and on pocket, and the memory of kando while it pushes.
 * Judged: 20 000 renders a second of CPU time; five ScaleWorkloads on the bed in 1.5 s (Kanister took 14 s); 100 sets of
 * three phases at once on pocket, none mixed up, with 250 MB; 150 MB for a push of 2 GiB (Kanister: 1.4 GB for 500 MiB).
 *
 *   npm run bench -- actions [--only renders|scale|sets|kando] [--mib 2048] [--sets 100]
 */
import { parseArgs } from 'node:util';
import { isBuilt } from '../test/bed/cache.ts';
import { needsBed } from '../test/bed/index.ts';
import { partNamed } from '../test/bed/parts.ts';
import { measurePush, type PushFigures } from './actions-kando.ts';
import { rendersPerSecond } from './actions-renders.ts';
import { scaleFive } from './actions-scale.ts';
import { manySets } from './actions-sets.ts';

const LEAST_RENDERS = 20_000;
const MAX_RSS_MB = 150;
const MAX_SCALE_SECONDS = 1.5;
const MAX_SERVER_MB = 250;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    mib: { type: 'string', default: '2048' },
    sets: { type: 'string', default: '100' },
  },
});
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
if (wants('scale')) {
  const need = needsBed({ clusters: 1 });
  if (need.missing) console.log(`- ${need.title('five ScaleWorkloads were left out')}`);
  else {
    const seconds = await scaleFive();
    const figure = `${seconds.toFixed(2)} s  (at most ${MAX_SCALE_SECONDS} s)`;
    judge('five ScaleWorkloads on the bed', figure, seconds <= MAX_SCALE_SECONDS);
  }
}
if (wants('sets')) {
  const count = Number(values.sets);
  const { seconds, serverMb, mixedUp } = await manySets(count);
  const figure = `${seconds.toFixed(1)} s, ${serverMb.toFixed(0)} MB  (at most ${MAX_SERVER_MB} MB)`;
  judge(`${count} sets of 3 phases on pocket`, figure, serverMb <= MAX_SERVER_MB);
  judge('sets that were mixed up', String(mixedUp), mixedUp === 0);
}
if (wants('kando')) {
  const mib = Number(values.mib);
  judgePush('directory', mib, await measurePush('fs', mib));
  if (isBuilt(partNamed('versitygw'))) judgePush('S3', mib, await measurePush('s3', mib));
  else console.log('- S3 was left out: versitygw is not built, run npm run bed -- build');
}
