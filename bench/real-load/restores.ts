import { Backup, Restore } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { BenchBed, Engine } from '../backup-restore-bed.ts';
import { roundLine, type MeasuredRestore, type Round } from './measured.ts';

const BACKUP = 'to-restore';
/** Where restores go; so long and odd that no other text of an object has them. */
const RECORDED = 'zr0-';
const OURS = (round: number): string => `zh${String(round)}-`;
const BARE = (round: number): string => `zb${String(round)}-`;
const WARM_UP = 'zw-';
const WARM_UP_NAMESPACES = 10;

interface Bare {
  seconds: number;
  cpu: number;
  counts: Readonly<Record<string, number>>;
}

interface Mode {
  name: string;
  file: string;
  spec: JsonObject;
  wanted: number;
}

const MODES: readonly Mode[] = [
  { name: 'into new namespaces', file: 'new', spec: {}, wanted: 0.9 },
  { name: 'over existing objects', file: 'existing', spec: {}, wanted: 0.8 },
  {
    ...{ name: 'over existing objects, with update', file: 'update' },
    ...{ spec: { existingResourcePolicy: 'update' }, wanted: 0.8 },
  },
];

export interface RestoreOptions {
  namespaces: readonly string[];
  rounds: number;
  /** Also over what is there already. */
  isWhole: boolean;
}

/** Restores and bare loops that send the same, in turns. */
export async function measureRestores(
  bench: BenchBed,
  engineOf: () => Promise<Engine>,
  { namespaces, rounds, isWhole }: RestoreOptions,
): Promise<{ restores: MeasuredRestore[]; peakMb: number }> {
  const modes = isWhole ? MODES : MODES.slice(0, 1);
  const specOf = (prefix: string, { spec }: Mode): JsonObject => ({
    ...{ backupName: BACKUP, ...spec },
    // They are there anyway, and a loop of the same requests needs no more.
    includeClusterResources: false,
    namespaceMapping: Object.fromEntries(namespaces.map((name) => [name, `${prefix}${name}`])),
  });
  const records = await record(bench, modes, namespaces, specOf);
  const engine = await engineOf();
  let peakMb = 0;
  try {
    const restores: MeasuredRestore[] = [];
    // As with backups: a server's first restore takes longer, because V8 has not compiled what it needs.
    const includedNamespaces = namespaces.slice(0, WARM_UP_NAMESPACES);
    await bench.measure(engine, Restore, 'warm-up', { ...specOf(WARM_UP, MODES[0]!), includedNamespaces });
    for (const mode of modes) {
      const all: Round[] = [];
      const bare = async (turn: number): Promise<Bare> =>
        JSON.parse(await bench.run('real-load/replay-loop.ts', records.get(mode) ?? '', RECORDED, BARE(turn))) as Bare;
      let before = await bare(0);
      for (let turn = 1; turn <= rounds; turn += 1) {
        const name = `restore-${mode.file}-${String(turn)}`;
        const figures = await bench.measure(engine, Restore, name, specOf(OURS(turn), mode));
        // Between two loops: each finds a larger cluster than the one before, and takes longer for it.
        const after = await bare(turn);
        const [bareSeconds, bareCpu] = [(before.seconds + after.seconds) / 2, (before.cpu + after.cpu) / 2];
        before = after;
        peakMb = Math.max(peakMb, figures.peakMb);
        const { seconds, items, percents, cpuSeconds: cpu } = figures;
        const round = { bareSeconds, seconds, bareCpu, cpu, items, percents };
        console.log(`  restore, ${mode.name}: ${roundLine(round)}`);
        all.push(round);
      }
      restores.push({ name: mode.name, rounds: all, bare: before.counts, wanted: mode.wanted });
    }
    return { restores, peakMb };
  } finally {
    await engine.stop();
  }
}

/** What Headway sends, by a server that writes it down and is not measured. */
async function record(
  bench: BenchBed,
  modes: readonly Mode[],
  namespaces: readonly string[],
  specOf: (prefix: string, mode: Mode) => JsonObject,
): Promise<Map<Mode, string>> {
  const files = new Map<Mode, string>();
  for (const mode of modes) {
    const { engine, file } = await bench.headwayIn('real-load/recording-server.ts', `record-${mode.file}`);
    try {
      const spec = { storageLocation: 'default', includedNamespaces: [...namespaces] };
      if (mode.file === 'new') await bench.measure(engine, Backup, BACKUP, spec);
      await bench.measure(engine, Restore, `record-${mode.file}`, specOf(RECORDED, mode));
    } finally {
      await engine.stop();
    }
    files.set(mode, file);
  }
  return files;
}
