import { formatBytes } from '../../../base/index.ts';
import { ownBytes, residentBytes, type ContainerProcess } from '../process/index.ts';

export interface UsageLimits {
  memoryBytes: number;
  processes: number;
}

export interface Excess {
  kind: 'memory' | 'processes';
  message: string;
}

interface Watched {
  process: ContainerProcess;
  limits: UsageLimits;
  onExcess(excess: Excess): void;
}

/** Often enough that a program that takes all it can get has not got much. */
const LOOK_EVERY_MS = 200;

/**
 * Looks how much containers use and ends those that use more than they may: not every user has control groups, and this
 * way it is the same for all. What takes a limit's size in a fifth of a second gets a little more.
 */
export class UsageWatch {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  /** Returns a function that ends the watch. */
  add(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => {
      this.#look();
    }, LOOK_EVERY_MS).unref();
    return () => {
      this.#watched.delete(watched);
      if (this.#watched.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    for (const watched of this.#watched) {
      const excess = excessOf(watched);
      if (excess === undefined) continue;
      this.#watched.delete(watched);
      watched.onExcess(excess);
      watched.process.kill();
    }
  }
}

function excessOf({ process, limits }: Watched): Excess | undefined {
  const pids = process.processes(limits.processes);
  if (pids.length > limits.processes) {
    return { kind: 'processes', message: `it had more than ${limits.processes} processes` };
  }
  const sum = (bytesOf: (pid: number) => number): number => pids.reduce((total, pid) => total + bytesOf(pid), 0);
  // What processes share is counted for each of them here, and exactly only where that would be too much.
  if (sum(residentBytes) <= limits.memoryBytes) return undefined;
  const used = sum(ownBytes);
  if (used <= limits.memoryBytes) return undefined;
  const message = `it used ${formatBytes(used)} of the ${formatBytes(limits.memoryBytes)} it may use`;
  return { kind: 'memory', message };
}
