import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAppError } from '../../../base/index.ts';
import { REPOSITORY_USER } from '../../../core/volumes/index.ts';
import { storageArguments } from './kopia-config.ts';
import { kopiaError } from './kopia-errors.ts';
import type { KopiaProgram } from './kopia-program.ts';

/**
 * What holds for every snapshot of Velero and Headway in a repository. kopia leaves out what a file .kopiaignore in the
 * volume names, and people find that out at the restore; a list of other names is the only way to have none.
 */
const POLICY = {
  files: { ignoreDotFiles: ['.headway-has-no-ignore-file'], ignoreCacheDirs: false },
  errorHandling: { ignoreUnknownTypes: true },
  scheduling: { manual: true },
};
const SET_RULES = 'set the rules of the kopia repository';

/**
 * Makes sure that the repository is there and has our rules, and returns whether it is a new one. Two at the same time
 * could make two repositories in one.
 */
export async function prepareRepository(kopia: KopiaProgram, signal: AbortSignal): Promise<boolean> {
  try {
    await setPolicy(kopia, signal);
    return false;
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    const args = ['repository', 'create', '--create-only', ...storageArguments(kopia.repository)];
    await kopia.do('create the kopia repository', args, signal);
    await setPolicy(kopia, signal);
    return true;
  }
}

async function setPolicy(kopia: KopiaProgram, signal: AbortSignal): Promise<void> {
  const { username, hostname } = REPOSITORY_USER;
  const file = join(kopia.scratch, 'policy.json');
  writeFileSync(file, JSON.stringify({ [`${username}@${hostname}`]: POLICY }));
  await kopia.do(SET_RULES, ['policy', 'import', `--from-file=${file}`], signal);
}

/**
 * Clears away what no snapshot needs. Safe beside movers: kopia keeps what is younger than a day. A large repository
 * takes hours, and only the caller knows how long it may.
 */
export async function maintainRepository(kopia: KopiaProgram, isFull: boolean, signal: AbortSignal): Promise<void> {
  const args = ['maintenance', 'run', '--safety=full', ...(isFull ? ['--full'] : [])];
  const { exitCode, said } = await kopia.run(args, signal);
  signal.throwIfAborted();
  if (exitCode !== 0) throw kopiaError('maintain the kopia repository', said);
}
