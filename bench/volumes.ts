/**
 * The mover against plain programs, same files, in turns: kopia on 2 GiB in 2 000 files, stream against `tar | zstd`.
 * Then whole backups on a pocket cluster and on a real node, the memory of the server with 50 volumes in one, and that
 * of the mover with a million files. `--only kopia|stream|node|crowd|million` runs one part, `--quick` a quarter of the
 * files and a tenth of the million. The mover has more threads than its rivals, so a busy machine slows it down more.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamJob } from '../src/core/volumes/index.ts';
import { manyVolumes, wholeBackup } from './volumes-backup.ts';
import { makeFiles } from './volumes-files.ts';
import { nodeBackup } from './volumes-node.ts';
import { moverRound, plainRound, type Round } from './volumes-kopia.ts';
import { measure, moverCommand, type Figures } from './volumes-run.ts';

const isQuick = process.argv.includes('--quick');
const only = process.argv[process.argv.indexOf('--only') + 1];
const isWanted = (part: string): boolean => !process.argv.includes('--only') || only === part;
const ROUNDS = 5;
const MIB = 1024 * 1024;
const place = mkdtempSync(join(tmpdir(), 'headway-bench-volumes-'));

interface Target {
  what: string;
  value: number;
  isMet: boolean;
  wanted: string;
}
const targets: Target[] = [];
const judge = (what: string, value: number, limit: { most?: number; least?: number }): void => {
  const { most = Infinity, least = -Infinity } = limit;
  const wanted = limit.most === undefined ? `>= ${String(least)}` : `<= ${String(most)}`;
  targets.push({ what, value, isMet: value <= most && value >= least, wanted });
};

function best(figures: readonly Figures[]): Figures {
  return figures.reduce((least, one) => (one.seconds < least.seconds ? one : least));
}

const s = (seconds: number): string => `${seconds.toFixed(2)} s`;

async function kopia(): Promise<void> {
  const count = isQuick ? 500 : 2000;
  const size = MIB + 48 * 1024;
  const volume = makeFiles(join(place, 'kopia'), count, size);
  const rounds: Record<'plain' | 'mover', Round[]> = { plain: [], mover: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.plain.push(await plainRound(place, volume));
    rounds.mover.push(await moverRound(place, volume));
  }
  const of = (who: 'plain' | 'mover', which: keyof Round): Figures => best(rounds[who].map((round) => round[which]));
  const [plain, mover] = [of('plain', 'first'), of('mover', 'first')];
  const [again, moverAgain] = [of('plain', 'second'), of('mover', 'second')];
  console.log(`\nkopia, ${String(count)} files of 1.05 MiB, best of ${String(ROUNDS)}`);
  console.log(
    `  first snapshot   plain ${s(plain.seconds)}   mover ${s(mover.seconds)} (${mover.peakMb.toFixed(0)} MB)`,
  );
  console.log(`  second snapshot  plain ${s(again.seconds)}   mover ${s(moverAgain.seconds)}`);
  judge('mover / plain kopia snapshot create', mover.seconds / plain.seconds, { most: 1.05 });
  rmSync(volume, { recursive: true });
  const plainly = async (files: string): Promise<number> => {
    const { first } = await plainRound(place, files);
    // Else the backup after it would be the one that needs more memory.
    for (const made of ['repository', 'cache']) rmSync(join(place, made), { recursive: true });
    return first.seconds;
  };
  const whole = await wholeBackup(count, size, { rounds: ROUNDS, plain: plainly });
  console.log(
    `  a whole backup   plain ${s(whole.plainSeconds)}   first ${s(whole.seconds)}   second ${s(whole.againSeconds)}`,
  );
  console.log(`  the server       ${whole.serverMb.toFixed(0)} MB`);
  judge('whole backup on pocket - 1.05 x plain kopia: s', whole.seconds - 1.05 * whole.plainSeconds, { most: 3 });
  judge('second backup / first', whole.againSeconds / whole.seconds, { most: 0.2 });
}

async function node(): Promise<void> {
  const [count, size, rounds] = [isQuick ? 500 : 2000, MIB + 48 * 1024, 2];
  const { plainSeconds, wholeSeconds } = await nodeBackup(place, { count, size, rounds });
  console.log(`\non a node, into S3, ${String(count)} files of 1.05 MiB, best of ${String(rounds)}`);
  console.log(`  plain ${s(plainSeconds)}   a whole backup ${s(wholeSeconds)}`);
  judge('whole backup on the node - 1.05 x plain kopia: s', wholeSeconds - 1.05 * plainSeconds, { most: 8 });
}

async function crowd(): Promise<void> {
  const [volumes, mib] = [50, isQuick ? 5 : 20];
  const { seconds, serverMb, atOnce } = await manyVolumes(volumes, mib);
  console.log(`\n${String(volumes)} volumes of ${String(mib)} MiB in one backup, at most ${String(atOnce)} at a time`);
  console.log(`  ${s(seconds)}, the server ${serverMb.toFixed(0)} MB`);
  judge(`${String(volumes)} volumes in one backup: MB of the server`, serverMb, { most: 250 });
  judge('volumes at a time', atOnce, { most: 8 });
}

async function stream(name: string, volume: string, least: number): Promise<void> {
  const job: StreamJob = { kind: 'snapshot', uploader: 'stream', id: 'bench', path: volume };
  const pipe = `tar -C ${volume} -cf - . | zstd -3 -T1 -q > ${join(place, 'plain.tar.zst')}`;
  const [plain, mover]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await measure({ program: 'sh', args: ['-c', pipe] }));
    mover.push(await measure(await moverCommand(place, job, '')));
  }
  const [theirs, ours] = [best(plain), best(mover)];
  console.log(
    `  ${name.padEnd(20)} tar | zstd ${s(theirs.seconds)}   mover ${s(ours.seconds)} (${ours.peakMb.toFixed(0)} MB)`,
  );
  judge(`stream, ${name}: speed of tar | zstd -3 -T1`, theirs.seconds / ours.seconds, { least });
  rmSync(volume, { recursive: true });
}

async function million(): Promise<void> {
  const count = isQuick ? 100_000 : 1_000_000;
  const volume = makeFiles(join(place, 'million'), count, 100, 10_000);
  const job: StreamJob = { kind: 'snapshot', uploader: 'stream', id: 'bench', path: volume };
  const packed = await measure(await moverCommand(place, job, ''));
  const { first } = await moverRound(place, volume);
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  console.log(`\n${String(count)} files of 100 B`);
  console.log(`  stream  ${s(packed.seconds)}  ${mb(packed.peakMb)}`);
  console.log(`  kopia   ${s(first.seconds)}  ${mb(first.peakMb)}, kopia itself ${mb(first.childPeakMb)}`);
  judge('stream, many small files: MB', packed.peakMb, { most: 300 });
  judge('kopia, many small files: MB of the mover', first.peakMb, { most: 300 });
  rmSync(volume, { recursive: true });
}

try {
  if (isWanted('kopia')) await kopia();
  if (isWanted('stream')) {
    console.log(`\nstream, best of ${String(ROUNDS)}`);
    await stream('4 x 100 MiB', makeFiles(join(place, 'large'), 4, (isQuick ? 25 : 100) * MIB), 0.8);
    await stream('20 000 x 4 KiB', makeFiles(join(place, 'small'), isQuick ? 5000 : 20_000, 4096), 0.3);
  }
  if (isWanted('node')) await node();
  if (isWanted('crowd')) await crowd();
  if (isWanted('million')) await million();
} finally {
  rmSync(place, { recursive: true, force: true });
}
console.log('\nTargets');
for (const { what, value, isMet, wanted } of targets) {
  console.log(
    `  ${what.padEnd(52)} ${wanted.padStart(9)} ${value.toFixed(2).padStart(9)}  ${isMet ? 'met' : 'MISSED'}`,
  );
}
process.exitCode = targets.every(({ isMet }) => isMet) ? 0 : 1;
