import type { BackupPhase } from '../../api/index.ts';
import { type NamespaceSelection, overlap } from '../selection/index.ts';

export interface QueuedBackup {
  name: string;
  phase: BackupPhase | undefined;
  /** Only while queued. */
  queuePosition?: number;
  namespaces: NamespaceSelection;
}

export interface QueueDecision {
  /** Those that may become ReadyToStart now, in order. */
  start: string[];
  /** Those that stay queued, with their new positions from 1 and what they wait for. */
  waiting: { name: string; position: number; reason: string }[];
}

const RUNNING: readonly (BackupPhase | undefined)[] = ['ReadyToStart', 'InProgress'];

/** The position of a backup that is queued now, after those that are queued already. */
export function nextPosition(queued: readonly (number | undefined)[]): number {
  return queued.reduce<number>((last, position = 0) => Math.max(last, position), 0) + 1;
}

/**
 * First come, first served, except that a backup waits behind any earlier one, running or queued, that shares a
 * namespace with it. Backups without such an overlap are not held up by them.
 */
export function decideQueue(backups: readonly QueuedBackup[], concurrent: number): QueueDecision {
  const ahead = backups.filter(({ phase }) => RUNNING.includes(phase));
  let free = concurrent - ahead.length;
  const decision: QueueDecision = { start: [], waiting: [] };
  const queued = backups.filter(({ phase }) => phase === 'Queued');
  for (const backup of queued.toSorted((a, b) => (a.queuePosition ?? 0) - (b.queuePosition ?? 0))) {
    const obstacle = ahead.find((other) => overlap(other.namespaces, backup.namespaces));
    if (obstacle === undefined && free > 0) {
      free -= 1;
      decision.start.push(backup.name);
    } else {
      const reason =
        obstacle === undefined
          ? `${concurrent} backups are running`
          : `backup ${obstacle.name} has the same namespaces and is ahead`;
      decision.waiting.push({ name: backup.name, position: decision.waiting.length + 1, reason });
    }
    ahead.push(backup);
  }
  return decision;
}
