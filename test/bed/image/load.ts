import { join } from 'node:path';
import { ctr } from '../ctr.ts';
import { insideOf, machineName } from '../machine.ts';
import { isAlive } from '../processes.ts';
import { homeDirectory, readState } from '../state.ts';
import { bedNames } from '../tenure.ts';

/** Makes an image known to every node of every bed that is up; says which. */
export async function loadIntoBeds(archive: string, signal: AbortSignal): Promise<string[]> {
  const home = homeDirectory();
  const loaded: string[] = [];
  for (const bed of bedNames(home)) {
    const { clusters, processes } = readState(join(home, bed)) ?? { clusters: [], processes: [] };
    for (const { name } of clusters) {
      const holder = processes.find((process) => process.name === machineName(name));
      if (holder === undefined || !isAlive(holder)) continue;
      await ctr(insideOf(holder.pid), ['images', 'import', archive], signal);
      loaded.push(`${bed}/${name}`);
    }
  }
  return loaded;
}
