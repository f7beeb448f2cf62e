import type { BackupSpec } from '../../api/index.ts';

interface SnapshotLocation {
  name: string;
  provider: string;
}

/**
 * The snapshot locations of a backup, one per provider: the one the spec names, else the only one there is, else the
 * server's default for that provider. Also without snapshots: Velero ignores spec.snapshotVolumes here.
 */
export function resolveSnapshotLocations(
  spec: BackupSpec,
  existing: readonly SnapshotLocation[],
  defaults: Readonly<Record<string, string>>,
): { names: string[]; problems: string[] } {
  const problems: string[] = [];
  const chosen = new Map<string, string>();
  for (const name of new Set(spec.volumeSnapshotLocations ?? [])) {
    const location = existing.find((one) => one.name === name);
    const other = location && chosen.get(location.provider);
    if (location === undefined) problems.push(`volume snapshot location "${name}" does not exist`);
    else if (other !== undefined) {
      problems.push(`more than one volume snapshot location for provider ${location.provider}: ${other} and ${name}`);
    } else chosen.set(location.provider, name);
  }
  for (const [provider, locations] of Map.groupBy(existing, (location) => location.provider)) {
    if (chosen.has(provider)) continue;
    const preferred = locations.length === 1 ? locations[0] : locations.find((one) => one.name === defaults[provider]);
    if (preferred !== undefined) chosen.set(provider, preferred.name);
    else problems.push(`provider ${provider} has several volume snapshot locations, and none is named or the default`);
  }
  return problems.length > 0 ? { names: [], problems } : { names: [...chosen.values()], problems };
}
