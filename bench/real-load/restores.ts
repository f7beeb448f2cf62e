import { Backup, Restore } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { BenchBed, Engine } from '../backup-restore-bed.ts';
import { roundLine, WITHOUT_SERVICES, type MeasuredRestore, type Round } from './measured.ts';

const BACKUP = 'to-restore';
/** Where restores go; so long and odd that no other text of an object has them. */
const RECORDED = 'zr0-';
const WARM_UP = 'zw-';
const WARM_UP_NAMESPACES = 10;

interface Bare {
  seconds: number;
  cpu: number;
  counts: Readonly<Record<string, number>>;
}

interface Mode {
  name: string;
  /** The mode whose requests the loop sends, if not those of this one. */
  recorded: string;
  /** What of them it sends. */
  methods: string;
  spec: JsonObject & { excludedResources?: string[] };
  /** In the names of the namespaces that it restores into. */
  letter: string;
  /** Undefined where only the growth is judged. */
  wanted?: number;
}

const ALL_METHODS = 'POST,PATCH,GET';
/** What the same objects take: a few need a patch after their creation, because no create can say who has applied what. */
const CREATING = 'POST,PATCH';
const NEW: Mode = {
  name: 'into new namespaces',
  recorded: 'new',
  methods: CREATING,
  spec: {},
  letter: 'h',
  wanted: 0.9,
};
const MODES: readonly Mode[] = [
  NEW,
  {
    ...{ name: WITHOUT_SERVICES, recorded: 'new', methods: CREATING, letter: 'p' },
    spec: { excludedResources: ['services', 'endpoints', 'endpointslices.discovery.k8s.io'] },
  },
  {
    ...{ name: 'over existing objects', recorded: 'existing', methods: ALL_METHODS, letter: 'h' },
    ...{ spec: {}, wanted: 0.8 },
  },
  {
    ...{ name: 'over existing objects, with update', recorded: 'update', methods: ALL_METHODS, letter: 'h' },
    ...{ spec: { existingResourcePolicy: 'update' }, wanted: 0.8 },
  },
];
const FOR_LARGE = 2;

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
): Promise<MeasuredRestore[]> {
  const modes = isWhole ? MODES : MODES.slice(0, FOR_LARGE);
  const specOf = (prefix: string, { spec }: Mode): JsonObject => ({
    ...{ backupName: BACKUP, ...spec },
    // They are there anyway, and a loop of the same requests needs no more.
    includeClusterResources: false,
    namespaceMapping: Object.fromEntries(namespaces.map((name) => [name, `${prefix}${name}`])),
  });
  const records = await record(bench, modes, namespaces, specOf);
  const engine = await engineOf();
  try {
    const restores: MeasuredRestore[] = [];
    // As with backups: a server's first restore takes longer, because V8 has not compiled what it needs.
    const includedNamespaces = namespaces.slice(0, WARM_UP_NAMESPACES);
    await bench.measure(engine, Restore, 'warm-up', { ...specOf(WARM_UP, NEW), includedNamespaces });
    for (const mode of modes) {
      const { recorded, methods, letter, spec, name, wanted } = mode;
      const file = records.get(recorded) ?? '';
      const bare = async (turn: number): Promise<Bare> => {
        const to = `zb${letter}${String(turn)}-`;
        const args = [file, RECORDED, to, methods, spec.excludedResources?.join() ?? ''];
        return JSON.parse(await bench.run('real-load/replay-loop.ts', ...args)) as Bare;
      };
      const all: Round[] = [];
      let before = await bare(0);
      for (let turn = 1; turn <= rounds; turn += 1) {
        const restore = `restore-${String(modes.indexOf(mode))}-${String(turn)}`;
        const figures = await bench.measure(engine, Restore, restore, specOf(`z${letter}${String(turn)}-`, mode));
        // Between two loops: each finds a larger cluster than the one before, and takes longer for it.
        const after = await bare(turn);
        const [bareSeconds, bareCpu] = [(before.seconds + after.seconds) / 2, (before.cpu + after.cpu) / 2];
        before = after;
        const { seconds, items, created, percents, peakMb, cpuSeconds: cpu } = figures;
        const round = { bareSeconds, seconds, bareCpu, cpu, items, created, percents, peakMb };
        console.log(`  restore, ${name}: ${roundLine(round)}`);
        all.push(round);
      }
      const isNew = methods === CREATING;
      restores.push({ name, rounds: all, bare: before.counts, isNew, ...(wanted === undefined ? {} : { wanted }) });
    }
    return restores;
  } finally {
    await engine.stop();
  }
}

/** What Headway sends, by a server that writes it down and is not measured; by the name of the recording. */
async function record(
  bench: BenchBed,
  modes: readonly Mode[],
  namespaces: readonly string[],
  specOf: (prefix: string, mode: Mode) => JsonObject,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const mode of modes) {
    const { recorded } = mode;
    if (files.has(recorded)) continue;
    const { engine, file } = await bench.headwayIn('real-load/recording-server.ts', `record-${recorded}`);
    try {
      const spec = { storageLocation: 'default', includedNamespaces: [...namespaces] };
      if (mode === NEW) await bench.measure(engine, Backup, BACKUP, spec);
      await bench.measure(engine, Restore, `record-${recorded}`, specOf(RECORDED, mode));
    } finally {
      await engine.stop();
    }
    files.set(recorded, file);
  }
  return files;
}
