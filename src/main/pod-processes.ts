import { homedir } from 'node:os';
import type { PodProcesses } from '../pocket/index.ts';
import { headwayProgram } from './headway-program.ts';

/** What a pocket cluster needs to run pods as processes of this machine. */
export function podProcesses({ home, env }: { home: string; env: NodeJS.ProcessEnv }): PodProcesses {
  return { searchPath: env['PATH'] ?? '', program: headwayProgram(), hidden: [home], homes: [homedir()] };
}
