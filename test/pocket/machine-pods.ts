import { headwayProgram } from '../../src/main/headway-program.ts';
import type { PodProcesses } from '../../src/pocket/index.ts';

/** Pods as processes of this machine, as `headway pocket up` has them. */
export function machinePods(options: Partial<PodProcesses> = {}): PodProcesses {
  return { searchPath: process.env['PATH'] ?? '', program: headwayProgram(), ...options };
}
