/** What bench/real-load.ts has found out about one size. */
export interface BackupRound {
  bareSeconds: number;
  seconds: number;
  firstPercentSeconds: number | undefined;
  items: number;
}

export interface RestoreRound {
  bareSeconds: number;
  seconds: number;
  items: number;
}

export interface MeasuredBackup {
  name: string;
  rounds: BackupRound[];
  /** How many lists the bare loop needs, and how many objects and megabytes it gets. */
  bare: { requests: number; objects: number; megabytes: number };
  hasLabels: boolean;
}

export interface MeasuredRestore {
  name: string;
  rounds: RestoreRound[];
  /** The part of the bare loop's speed that is wanted. */
  wanted: number;
}

export interface Measured {
  size: string;
  objects: number;
  maxMb: number;
  peakMb: number;
  backups: MeasuredBackup[];
  restores: MeasuredRestore[];
  veleroSeconds?: number;
}

/** Of several rounds. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
