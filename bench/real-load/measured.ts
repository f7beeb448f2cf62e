import { loadavg } from 'node:os';
import type { Percents } from '../backup-restore-percents.ts';

/** What bench/real-load.ts has found out about one size. */
export interface Round {
  bareSeconds: number;
  seconds: number;
  /** Processor time of the loop's process, and of Headway's. */
  bareCpu: number;
  cpu: number;
  percents: Percents;
  /** The most that the server had in memory until its end. */
  peakMb: number;
  items: number;
  /** Of a restore. */
  created: number;
}

export interface MeasuredBackup {
  name: string;
  rounds: Round[];
  /**
   * What the bare loop gets; how many items a backup must come to, with the namespaces of what is selected, and how many it
   * may, with all that the selected objects need.
   */
  bare: { requests: number; megabytes: number; objects: number; least: number; most: number };
  hasLabels: boolean;
}

/** The restores whose growth is judged: the server itself takes ever longer to create services. */
export const WITHOUT_SERVICES = 'into new namespaces, without services';

export interface MeasuredRestore {
  name: string;
  rounds: Round[];
  /** What the bare loop sends, by method and status of the answer. */
  bare: Readonly<Record<string, number>>;
  /** Nothing was there before. */
  isNew: boolean;
  /** The part of the bare loop's speed that is wanted, if one is. */
  wanted?: number;
}

export interface Measured {
  size: string;
  objects: number;
  maxMb: number;
  backups: MeasuredBackup[];
  restores: MeasuredRestore[];
  /** By the name of the backup; empty if Velero was not measured. */
  veleroSeconds: Record<string, number>;
}

/** While the bench goes on: a machine with other work on it is seen by the load. */
export function roundLine({ bareSeconds, seconds, bareCpu, cpu, peakMb }: Round): string {
  const [load = 0] = loadavg();
  const own = `Headway ${seconds.toFixed(2)} s (${cpu.toFixed(1)} s of processor, peak ${peakMb.toFixed(0)} MB)`;
  return `bare ${bareSeconds.toFixed(2)} s (${bareCpu.toFixed(1)} s of processor), ${own}, load ${load.toFixed(0)}`;
}

/** Of several rounds. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
