/** What progress costs a restore: turn by turn in one process, because two processes differ by more than it costs. */
import type { BenchBed, Engine, Figures } from './backup-restore-bed.ts';

export interface ProgressCost {
  /** In percent, the median over all pairs. */
  seconds: number;
  cpuSeconds: number;
}

const PAIRS = 12;
const BACKUP = 'for-progress';

/** Each pair restores the ConfigMaps of the backup twice, in the other order than the pair before. */
export async function progressCost(bench: BenchBed, count: number): Promise<ProgressCost> {
  const engine = await bench.headwayWithSwitch();
  try {
    await bench.backup(engine, BACKUP);
    // Compiled and connected before anything counts.
    await restoreMaps(bench, engine, { name: 'progress-on-0', count });
    const pairs: Record<'on' | 'off', Figures>[] = [];
    for (let round = 1; round <= PAIRS; round += 1) {
      const pair: Partial<Record<'on' | 'off', Figures>> = {};
      for (const way of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        pair[way] = await restoreMaps(bench, engine, { name: `progress-${way}-${String(round)}`, count });
      }
      pairs.push(pair as Record<'on' | 'off', Figures>);
    }
    const cost = (of: 'seconds' | 'cpuSeconds'): number[] =>
      pairs.map(({ on, off }) => (on[of] / off[of] - 1) * 100).toSorted((a, b) => a - b);
    tell('time', cost('seconds'));
    tell('processor time', cost('cpuSeconds'));
    return { seconds: median(cost('seconds')), cpuSeconds: median(cost('cpuSeconds')) };
  } finally {
    await engine.stop();
  }
}

async function restoreMaps(bench: BenchBed, engine: Engine, of: { name: string; count: number }): Promise<Figures> {
  return await bench.restore(engine, of.name, { backup: BACKUP, count: of.count / 2, only: 'configmaps' });
}

function tell(what: string, sorted: readonly number[]): void {
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter).map((one) => one.toFixed(1));
  const range = `the middle half from ${middle[0] ?? ''} to ${middle.at(-1) ?? ''} %`;
  console.log(`  progress adds to the ${what}: ${median(sorted).toFixed(1)} % (${String(PAIRS)} pairs, ${range})`);
}

function median(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
