/**
 * Backup and restore against real Velero and a bare loop, on the bed, in one run: time, processor time and peak memory.
 * `--sizes 1000,10000,100000` says how many objects (1 KB each, half ConfigMaps, half Secrets), `--only headway`
 * (or `velero`, `progress`, or several with commas) leaves the rest out, and so does `--skip-velero`.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchBed, type Figures } from './backup-restore-bed.ts';
import { progressCost } from './backup-restore-progress.ts';
import { printSizes, printTargets, type Measured } from './backup-restore-print.ts';

/** Where everything is compared; the other sizes show how it grows. */
const COMPARED = 10_000;
const PARTS = ['headway', 'velero', 'progress'] as const;
/** These do not count, for both: a server that runs has compiled what it needs. */
const WARM_UP = 4;
/** Of a time around a second, one alone says little. */
const BACKUPS = 9;

type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    only: { type: 'string' },
    'skip-velero': { type: 'boolean', default: false },
  },
});
const sizes = values.sizes.split(',').map(Number);
const parts = new Set<Part>(
  PARTS.filter((part) => values.only?.split(',').includes(part) ?? true).filter(
    (part) => part !== 'velero' || !values['skip-velero'],
  ),
);
if (sizes.some((size) => !(size > 0)) || parts.size === 0) {
  throw new Error(`expected --sizes as numbers with commas, and --only as ${PARTS.join(', ')}`);
}

function say(what: string, { seconds, cpuSeconds, peakMb }: Figures): void {
  console.log(
    `  ${what.padEnd(28)} ${seconds.toFixed(2).padStart(8)} s  cpu ${cpuSeconds.toFixed(1).padStart(6)} s  ` +
      `peak ${peakMb.toFixed(0).padStart(4)} MB`,
  );
}

async function bothOf(
  bench: BenchBed,
  engine: 'headway' | 'velero',
  count: number,
): Promise<{ backup: Figures; restore: Figures }> {
  const running = await bench[engine]();
  try {
    for (let round = 1; round <= WARM_UP; round += 1) {
      say(`${engine} backup, to warm up`, await bench.backup(running, `warm-${engine}-${String(round)}`));
    }
    const backups: Figures[] = [];
    for (let round = 1; round <= BACKUPS; round += 1) {
      const figures = await bench.backup(running, `by-${engine}-${String(round)}`);
      say(`${engine} backup`, figures);
      backups.push(figures);
    }
    const backup = backups.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(BACKUPS / 2)]!;
    const restore = await bench.restore(running, `to-${engine}`, { backup: `by-${engine}-1`, count });
    say(`${engine} restore`, restore);
    return { backup, restore };
  } finally {
    await running.stop();
  }
}

async function measure(count: number): Promise<Measured> {
  const load = loadavg()[0] ?? 0;
  console.log(`\n${String(count)} objects, load ${load.toFixed(1)}`);
  await using bench = await BenchBed.start();
  const measured: Measured = { count, bareCreate: await bench.loop('create', 'source', count), bareList: 0 };
  measured.bareList = await bench.loop('list', 'source', count);
  console.log(`  bare create ${measured.bareCreate.toFixed(2)} s, bare list ${measured.bareList.toFixed(2)} s`);
  if (parts.has('headway')) {
    measured.headway = await bothOf(bench, 'headway', count);
    if (count <= COMPARED) {
      // Before and after Headway's turn: what the machine's load does to one of them, it does to the mean less.
      const again = await bench.loop('create', 'bare', count);
      console.log(`  bare create again ${again.toFixed(2)} s`);
      measured.bareCreate = (measured.bareCreate + again) / 2;
    }
  }
  if (count !== COMPARED) return measured;
  if (parts.has('progress')) measured.progress = await progressCost(bench);
  if (parts.has('velero')) measured.velero = await bothOf(bench, 'velero', count);
  return measured;
}

const results: Measured[] = [];
for (const size of sizes) results.push(await measure(size));
if (parts.has('headway')) printSizes(results);
process.exitCode = printTargets(results) ? 0 : 1;
