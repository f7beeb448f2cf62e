/**
 * What progress costs a restore. Two restores differ by more than that, and so do two seconds of one: it is switched on and
 * off in the middle of them, what comes after each other is compared, and each status is written many times over.
 */
import { readFileSync } from 'node:fs';
import type { BenchBed } from './backup-restore-bed.ts';
import { TIMES, type Turn } from './backup-restore-turns.ts';

export interface ProgressCost {
  /** In percent, the median over all pairs. */
  seconds: number;
  cpuSeconds: number;
}

type Pair = Record<Turn['progress'], Turn>;

const OBJECTS = 30_000;
const RESTORES = 5;
/** How often a restore writes its progress. */
const USUAL_A_SECOND = 1;
const NAMESPACE = 'progress';
const BACKUP = 'for-progress';

export async function progressCost(bench: BenchBed): Promise<ProgressCost> {
  await bench.loop('create', NAMESPACE, OBJECTS);
  const { engine, file: turnsFile } = await bench.headwayIn('backup-restore-server.ts', 'turns');
  try {
    await bench.backup(engine, BACKUP, NAMESPACE);
    for (let round = 0; round <= RESTORES; round += 1) {
      await bench.restore(engine, `progress-${String(round)}`, {
        backup: BACKUP,
        count: OBJECTS,
        namespace: NAMESPACE,
      });
    }
  } finally {
    await engine.stop();
  }
  // In the first one everything is compiled and connected.
  const restores = readFileSync(turnsFile, 'utf8').trim().split('\n').slice(1);
  const pairs = restores.flatMap((line) => pairsOf(JSON.parse(line) as Turn[]));
  refuseIdle(pairs);
  // What was written a second more in one turn than in the other is what the difference of their times is divided by.
  const more = writesASecond(pairs.map(({ on }) => on)) - writesASecond(pairs.map(({ off }) => off));
  const timesAsOften = more / USUAL_A_SECOND;
  const cost = (of: (turn: Turn) => number): number[] =>
    pairs.map(({ on, off }) => ((of(on) / of(off) - 1) * 100) / timesAsOften).toSorted((a, b) => a - b);
  return {
    seconds: told(
      'time',
      cost(({ ms, objects }) => ms / objects),
    ),
    cpuSeconds: told(
      'processor time',
      cost(({ cpuMs, objects }) => cpuMs / objects),
    ),
  };
}

/**
 * Progress that was hardly written in its turns, or was in others, would cost nothing as well. A slow server takes longer
 * for the many writes than the second after which the next one is due, so there are fewer than there might be.
 */
function refuseIdle(pairs: readonly Pair[]): void {
  const writes = (way: Turn['progress']): number => pairs.reduce((sum, pair) => sum + pair[way].writes, 0);
  if (writes('on') < TIMES * pairs.length || writes('off') > writes('on') / TIMES) {
    const times = `${writes('on')} and ${writes('off')} times in ${pairs.length} pairs`;
    throw new Error(`expected progress in its turns only, it was written ${times}`);
  }
}

function writesASecond(turns: readonly Turn[]): number {
  const sum = (of: (turn: Turn) => number): number => turns.reduce((all, turn) => all + of(turn), 0);
  return sum(({ writes }) => writes) / sum(({ ms }) => ms / 1000);
}

function pairsOf(turns: readonly Turn[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at + 1 < turns.length; at += 2) {
    const [one, other] = [turns[at]!, turns[at + 1]!];
    // What a restore does after its last object is no measure of objects.
    if (one.objects === 0 || other.objects === 0) continue;
    pairs.push(one.progress === 'on' ? { on: one, off: other } : { on: other, off: one });
  }
  return pairs;
}

function told(what: string, sorted: readonly number[]): number {
  const count = sorted.length;
  const middle = (count - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
  // Between which the median of all pairs that could be made lies in 95 of 100 cases, by the binomial distribution.
  const aside = Math.max(0, Math.floor((count - 1.96 * Math.sqrt(count)) / 2));
  const range = [sorted[aside], sorted.at(-1 - aside)].map((one) => (one ?? NaN).toFixed(2)).join(' to ');
  const pairs = `median of ${String(count)} pairs, surely ${range} %`;
  console.log(`  progress adds to the ${what}: ${median.toFixed(2)} % (${pairs})`);
  return median;
}
