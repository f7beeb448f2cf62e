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
const ENGINES = ['headway', 'velero'] as const;
const PARTS = [...ENGINES, 'progress'] as const;
const ROUNDS = 3;
/** In every round, and not counted, for both: a server that runs has compiled what it needs. */
const WARM_UP = 4;
const BACKUPS = 3;

type EngineName = (typeof ENGINES)[number];
type Part = (typeof PARTS)[number];

interface Turn {
  backups: Figures[];
  restore?: Figures;
}

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

/** One server, from its start to its stop: several backups, and a restore when it is the last of its kind. */
async function turnOf(bench: BenchBed, engine: EngineName, name: string, restored?: number): Promise<Turn> {
  const running = await bench[engine]();
  const turn: Turn = { backups: [] };
  try {
    for (let number = 1; number <= WARM_UP + BACKUPS; number += 1) {
      const figures = await bench.backup(running, `by-${name}-${String(number)}`);
      say(`${engine} backup${number <= WARM_UP ? ', to warm up' : ''}`, figures);
      if (number > WARM_UP) turn.backups.push(figures);
    }
    if (restored !== undefined) {
      turn.restore = await bench.restore(running, `to-${name}`, { backup: `by-${name}-1`, count: restored });
      say(`${engine} restore`, turn.restore);
    }
    return turn;
  } finally {
    await running.stop();
  }
}

/** In turns, because within minutes a machine becomes faster or slower by a third. */
async function compare(bench: BenchBed, measured: Measured, engines: readonly EngineName[]): Promise<void> {
  const { count } = measured;
  const rounds = count === COMPARED ? ROUNDS : 1;
  const backups: Record<EngineName, Figures[]> = { headway: [], velero: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const engine of engines) {
      const restored = round === rounds ? count : undefined;
      const turn = await turnOf(bench, engine, `${engine}-${String(round)}`, restored);
      backups[engine].push(...turn.backups);
      if (turn.restore === undefined) continue;
      const backup = backups[engine].toSorted((a, b) => a.seconds - b.seconds)[Math.floor(backups[engine].length / 2)]!;
      measured[engine] = { backup, restore: turn.restore };
      if (engine === 'headway' && count <= COMPARED) await loopAgain(bench, measured);
    }
  }
}

/** Right after the restore: what the machine's load does to one of the two loops, it does to their mean less. */
async function loopAgain(bench: BenchBed, measured: Measured): Promise<void> {
  const again = await bench.loop('create', 'bare', measured.count);
  console.log(`  bare create again ${again.toFixed(2)} s`);
  measured.bareCreate = (measured.bareCreate + again) / 2;
}

async function measure(count: number): Promise<Measured> {
  const load = loadavg()[0] ?? 0;
  console.log(`\n${String(count)} objects, load ${load.toFixed(1)}`);
  await using bench = await BenchBed.start();
  const measured: Measured = { count, bareCreate: await bench.loop('create', 'source', count), bareList: 0 };
  measured.bareList = await bench.loop('list', 'source', count);
  console.log(`  bare create ${measured.bareCreate.toFixed(2)} s, bare list ${measured.bareList.toFixed(2)} s`);
  const isCompared = count === COMPARED;
  const engines = ENGINES.filter((engine) => parts.has(engine) && (engine === 'headway' || isCompared));
  await compare(bench, measured, engines);
  if (isCompared && parts.has('progress')) measured.progress = await progressCost(bench);
  return measured;
}

const results: Measured[] = [];
for (const size of sizes) results.push(await measure(size));
if (parts.has('headway')) printSizes(results);
process.exitCode = printTargets(results) ? 0 : 1;
