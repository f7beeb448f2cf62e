/**
 * Backup and restore of clusters as companies have them, against bare loops that do the same, on the bed, in one run.
 * `--sizes small,medium,large` says which clusters (default small and medium; the large one takes half an hour), `--only
 * backup` or `restore` leaves the rest out, `--rounds 3` says how often each is measured, `--seed` changes the clusters,
 * and `--velero` has real Velero back up the small one, each selection once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Backup } from '../src/api/index.ts';
import { BenchBed } from './backup-restore-bed.ts';
import { measureBackups, selectionsOf } from './real-load/backups.ts';
import { GeneratedCluster } from './real-load/cluster.ts';
import { fill, settled } from './real-load/fill.ts';
import type { Measured } from './real-load/measured.ts';
import { printMeasured } from './real-load/print.ts';
import { measureRestores } from './real-load/restores.ts';
import { runPods } from './real-load/running.ts';
import { isSizeName, SIZES, type SizeName } from './real-load/sizes.ts';
import { Wire } from './real-load/wire.ts';

const CONNECTIONS = 40;
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: 'small,medium' },
    only: { type: 'string', default: 'backup,restore' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    velero: { type: 'boolean', default: false },
  },
});
const wanted = values.sizes.split(',');
// The smallest first: the growth is that from the first to the last.
const sizes = Object.keys(SIZES).filter((name): name is SizeName => wanted.includes(name));
const PARTS = ['backup', 'restore'];
const parts = values.only.split(',');
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const isKnown = wanted.every(isSizeName) && parts.every((part) => PARTS.includes(part));
if (!isKnown || !(rounds > 0) || Number.isNaN(seed)) {
  const [names, both] = [Object.keys(SIZES).join(', '), PARTS.join(' or ')];
  throw new Error(`expected --sizes of ${names}, --only ${both}, and --rounds and --seed as numbers`);
}

async function filled(bench: BenchBed, cluster: GeneratedCluster): Promise<number> {
  await using wire = new Wire(bench.line, CONNECTIONS);
  const began = performance.now();
  const objects = await fill(wire, cluster);
  await settled(wire);
  bench.freezeControllers();
  const more = await runPods(wire, seed);
  console.log(`  filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return objects + more;
}

async function measure(size: SizeName, directory: string): Promise<Measured> {
  console.log(`\n${size}, load ${(loadavg()[0] ?? 0).toFixed(1)}`);
  const cluster = new GeneratedCluster(SIZES[size], seed);
  const { namespaces } = cluster;
  await using bench = await BenchBed.start();
  const objects = await filled(bench, cluster);
  const { maxMb } = SIZES[size];
  const measured: Measured = { size, objects, maxMb, backups: [], restores: [], veleroSeconds: {} };
  if (parts.includes('backup')) {
    const engine = await bench.headway();
    try {
      measured.backups = await measureBackups(bench, engine, { namespaces, rounds, directory });
    } finally {
      await engine.stop();
    }
  }
  // Before restores make more of everything.
  if (values.velero && size === 'small') measured.veleroSeconds = await velero(bench, namespaces);
  if (parts.includes('restore')) {
    measured.restores = await measureRestores(bench, () => bench.headway(), {
      namespaces: namespaces.filter((_, at) => at % SIZES[size].restoredOf === 0),
      rounds,
      isWhole: size !== 'large',
    });
  }
  return measured;
}

/** Seconds of its backups, by their names. */
async function velero(bench: BenchBed, namespaces: readonly string[]): Promise<Record<string, number>> {
  const engine = await bench.velero();
  const seconds: Record<string, number> = {};
  try {
    for (const [at, { name, spec }] of selectionsOf(namespaces).entries()) {
      const backup = { storageLocation: 'default', ...spec };
      seconds[name] = (await bench.measure(engine, Backup, `by-velero-${String(at)}`, backup)).seconds;
      console.log(`  Velero's backup, ${name}: ${seconds[name].toFixed(1)} s`);
    }
    return seconds;
  } finally {
    await engine.stop();
  }
}

const directory = mkdtempSync(join(tmpdir(), 'headway-bench-'));
try {
  const all: Measured[] = [];
  for (const size of sizes) all.push(await measure(size, directory));
  process.exitCode = printMeasured(all) ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
