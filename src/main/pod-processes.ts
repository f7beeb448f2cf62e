import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../base/index.ts';
import type { PodProcesses } from '../pocket/index.ts';
import { headwayProgram } from './headway-program.ts';

interface Machine {
  home: string;
  env: NodeJS.ProcessEnv;
  /** Where the cluster's own stores are, if it has any. */
  stores?: string;
  /** Programs that users named; else those on the PATH are taken. */
  kopia?: string | undefined;
  restic?: string | undefined;
}

/** What a pocket cluster needs to run pods as processes of this machine. */
export function podProcesses({ home, env, stores, kopia, restic }: Machine): PodProcesses {
  const searchPath = env['PATH'] ?? '';
  const tools = Object.entries({ kopia, restic }).flatMap(([name, named]) => {
    const file = named === undefined ? onPath(name, searchPath) : namedProgram(name, named);
    return file === undefined ? [] : [{ name, file }];
  });
  return {
    searchPath,
    program: { ...headwayProgram(), tools },
    hidden: [home],
    stores: [join(home, 'stores'), ...(stores === undefined ? [] : [stores])],
    homes: [homedir()],
  };
}

function namedProgram(name: string, path: string): string {
  if (isProgram(resolve(path))) return realpathSync(resolve(path));
  throw new AppError('usage', `--${name}: expected a program, and ${path} is none`);
}

function onPath(name: string, searchPath: string): string | undefined {
  const folders = searchPath.split(':').filter((folder) => folder.startsWith('/'));
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  return found === undefined ? undefined : realpathSync(found);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us.
    return false;
  }
}
