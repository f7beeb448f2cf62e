import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from './cache.ts';
import { type Cluster, prepareSite, startCluster } from './cluster.ts';
import { kubeconfig } from './kubeconfig.ts';
import { updateState, type Workplace } from './launch.ts';
import { NEEDED, type PartName, partNamed } from './parts.ts';
import { startS3 } from './s3.ts';
import type { S3Facts } from './state.ts';
import { startVelero, type Velero } from './velero.ts';

export interface BedContents {
  /** How many; 1 unless said otherwise, 0 for a bed with S3 only. */
  clusters?: number;
  /** A real node in every cluster, so that pods run; API server and S3 are then reachable from pods. Needs root. */
  nodes?: boolean;
  s3?: boolean;
  /** Velero's server beside every cluster, all on the one bucket; brings S3 along. `crds` replaces its own CRDs. */
  velero?: boolean | { crds: string };
  /** Further flags for every API server, such as `--max-requests-inflight=2`. */
  apiserverFlags?: readonly string[];
}

export interface Started {
  clusters: Cluster[];
  s3: S3Facts | undefined;
  /** One for each cluster, or none. */
  velero: Velero[];
  /** A file with one context for each cluster. */
  kubeconfig: string;
}

export function missingParts(contents: BedContents): PartName[] {
  const needed: PartName[] = [
    ...((contents.clusters ?? 1) > 0 ? NEEDED.cluster : []),
    ...(contents.nodes ? NEEDED.node : []),
    ...(contents.s3 || contents.velero ? NEEDED.s3 : []),
    ...(contents.velero ? NEEDED.velero : []),
  ];
  return needed.filter((name) => !isBuilt(partNamed(name)));
}

/** Starts everything in a claimed directory. The caller aborts the place's signal when this throws. */
export async function startAll(place: Workplace, contents: BedContents): Promise<Started> {
  const names = Array.from({ length: contents.clusters ?? 1 }, (_, index) => `bed-${index + 1}`);
  const flags = contents.apiserverFlags ?? [];
  const sites = await Promise.all(names.map(async (name) => await prepareSite(place, name, contents.nodes ?? false)));
  const [s3, ...clusters] = await Promise.all([
    // Pods of every cluster reach the host at any of its addresses.
    contents.s3 || contents.velero ? startS3(place, sites[0]?.files.address) : undefined,
    ...sites.map(async (site) => await startCluster(place, site, flags)),
  ]);
  const entries = clusters.map(({ name, server, caPem, token }) => ({ name, server, caPem, user: { token } }));
  const combined = join(place.directory, 'kubeconfig');
  writeFileSync(combined, kubeconfig(entries), { mode: 0o600 });
  const velero = await startVeleros(place, clusters, s3, contents.velero);
  updateState(place.directory, (state) => {
    state.phase = 'up';
    state.velero = velero.length > 0;
  });
  return { clusters, s3, velero, kubeconfig: combined };
}

async function startVeleros(
  place: Workplace,
  clusters: readonly Cluster[],
  s3: S3Facts | undefined,
  wanted: BedContents['velero'],
): Promise<Velero[]> {
  if (!wanted || s3 === undefined) return [];
  const crds = typeof wanted === 'object' ? wanted.crds : undefined;
  return await Promise.all(clusters.map(async (cluster) => await startVelero(place, { cluster, s3, crds })));
}
