import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Backup } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { BenchBed, Engine } from '../backup-restore-bed.ts';
import { LABEL } from './cluster.ts';
import type { Counts, Selected } from './list-plan.ts';
import { roundLine, type MeasuredBackup, type Round } from './measured.ts';

interface Selection {
  name: string;
  spec: JsonObject;
  selected: Selected;
}

interface Loop {
  seconds: number;
  cpu: number;
  megabytes: number;
  requests: number;
}

const THREE_FROM = 10;
/** An application that has a label needs hardly anything that has it not. */
const MOST_BY_LABEL = 2;

/** Of everything, of half of the namespaces, of three, and by label. */
export function selectionsOf(namespaces: readonly string[]): Selection[] {
  const some = (name: string, chosen: readonly string[]): Selection => ({
    name: `${name} of ${String(namespaces.length)} namespaces`,
    spec: { includedNamespaces: [...chosen] },
    selected: { namespaces: chosen },
  });
  const [[key, value] = ['', '']] = Object.entries(LABEL);
  return [
    { name: 'all', spec: {}, selected: {} },
    some(
      String(Math.ceil(namespaces.length / 2)),
      namespaces.filter((_, at) => at % 2 === 0),
    ),
    some('3', namespaces.slice(THREE_FROM, THREE_FROM + 3)),
    {
      name: 'by label',
      spec: { labelSelector: { matchLabels: LABEL } },
      selected: { labelSelector: `${key}=${value}` },
    },
  ];
}

/** Bare loop and backup in turns: within minutes a machine becomes faster or slower by a third. */
export async function measureBackups(
  bench: BenchBed,
  engine: Engine,
  { namespaces, rounds, directory }: { namespaces: readonly string[]; rounds: number; directory: string },
): Promise<MeasuredBackup[]> {
  // A server's first backup takes longer, because V8 has not compiled what it needs.
  await bench.measure(engine, Backup, 'warm-up', { storageLocation: 'default' });
  const measured: MeasuredBackup[] = [];
  for (const [at, { name, spec, selected }] of selectionsOf(namespaces).entries()) {
    const plan = join(directory, `lists-${String(at)}.json`);
    const planned = await bench.run('real-load/list-loop.ts', 'plan', JSON.stringify(selected));
    writeFileSync(plan, planned);
    const { selected: objects, clusterWide } = JSON.parse(planned) as Counts;
    const all: Round[] = [];
    let bare = { requests: 0, megabytes: 0 };
    for (let turn = 1; turn <= rounds; turn += 1) {
      const {
        seconds: bareSeconds,
        cpu: bareCpu,
        ...loop
      } = JSON.parse(await bench.run('real-load/list-loop.ts', 'run', plan)) as Loop;
      bare = loop;
      const backup = { storageLocation: 'default', ...spec };
      const figures = await bench.measure(engine, Backup, `backup-${String(at)}-${String(turn)}`, backup);
      const { seconds, items, created, percents, peakMb, cpuSeconds: cpu } = figures;
      const round = { bareSeconds, seconds, bareCpu, cpu, items, created, percents, peakMb };
      console.log(`  backup, ${name}: ${roundLine(round)}`);
      all.push(round);
    }
    const hasLabels = selected.labelSelector !== undefined;
    const isWhole = !hasLabels && selected.namespaces === undefined;
    // Of some namespaces, items need others of the whole cluster; of labels, also others in their namespaces.
    const most = objects * (hasLabels ? MOST_BY_LABEL : 1) + (isWhole ? 0 : clusterWide);
    const least = objects + (selected.namespaces?.length ?? 0);
    measured.push({ name, rounds: all, bare: { ...bare, objects, least, most }, hasLabels });
  }
  return measured;
}
