/** The mover against plain `kopia snapshot create`, for bench/volumes.ts. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { KopiaJob } from '../src/core/volumes/index.ts';
import { programPath } from '../test/bed/cache.ts';
import { partNamed } from '../test/bed/parts.ts';
import { freshDirectory, measure, moverCommand, type Figures } from './volumes-run.ts';

const KOPIA = programPath(partNamed('kopia'));
const PASSWORD = 'bench';

export interface Round {
  first: Figures;
  second: Figures;
}

/** A new repository, a first snapshot, and a second one of the same files; each process begins without a cache. */
export async function plainRound(place: string, volume: string): Promise<Round> {
  const { config, env } = await repository(place);
  const create = async (): Promise<Figures> => {
    const args = [...config(), '--no-auto-maintenance', '--progress', '--progress-update-interval=1s'];
    return await measure({ program: KOPIA, args: [...args, 'snapshot', 'create', volume], env });
  };
  return { first: await create(), second: await create() };
}

export async function moverRound(place: string, volume: string): Promise<Round> {
  await repository(place);
  let uses = 0;
  const copy = async (): Promise<Figures> => {
    const job: KopiaJob = {
      kind: 'snapshot',
      uploader: 'kopia',
      id: `bench-${(uses += 1)}`,
      path: volume,
      repository: { kind: 'filesystem', path: join(place, 'repository') },
      program: KOPIA,
      scratch: freshDirectory(join(place, 'scratch')),
      source: { namespace: 'bench', pod: 'pod', volume: 'data' },
    };
    return await measure(await moverCommand(place, job, PASSWORD));
  };
  return { first: await copy(), second: await copy() };
}

async function repository(place: string): Promise<{ config: () => string[]; env: Record<string, string> }> {
  const path = freshDirectory(join(place, 'repository'));
  const cache = `--cache-directory=${freshDirectory(join(place, 'cache'))}`;
  const env = { KOPIA_PASSWORD: PASSWORD, KOPIA_CHECK_FOR_UPDATES: 'false', HOME: place };
  const config = (): string[] => [`--config-file=${join(place, 'kopia.config')}`, '--disable-file-logging'];
  const args = ['repository', 'create', 'filesystem', `--path=${path}`, cache];
  await measure({ program: KOPIA, args: [...config(), ...args], env });
  // What the round before has written is not this one's to wait for.
  execFileSync('sync');
  return { config, env };
}
