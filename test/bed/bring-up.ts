import { join } from 'node:path';
import { bed, type BedOptions } from './bed.ts';
import { isAlive } from './processes.ts';
import { type BedState, homeDirectory, readState } from './state.ts';

type Wanted = Required<Pick<BedOptions, 'name' | 'clusters' | 'nodes' | 's3' | 'velero' | 'signal'>>;

/** Starts a bed that outlives this process, unless one of that name is up and has what is wanted. */
export async function bringUp(wanted: Wanted): Promise<'started' | 'present'> {
  const state = readState(join(homeDirectory(), wanted.name));
  if (state?.phase === 'up' && state.processes.every(isAlive)) {
    const lacking = whatItLacks(state, wanted);
    if (lacking === undefined) return 'present';
    throw new Error(`start bed ${wanted.name}: it is up ${lacking}; take it down first, or use another --name`);
  }
  await bed({ ...wanted, keep: true });
  return 'started';
}

function whatItLacks(state: BedState, wanted: Wanted): string | undefined {
  if (state.clusters.length < wanted.clusters) return `with ${state.clusters.length} clusters only`;
  if (wanted.nodes && state.clusters.some(({ node }) => !node)) return 'without nodes';
  if (wanted.velero && !state.velero) return 'without Velero';
  if (wanted.s3 && state.s3 === undefined) return 'without S3';
  return undefined;
}
