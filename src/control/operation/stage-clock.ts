import type { Stage } from '../../api/meta/progress.ts';

/** When a stage began and ended; without an end it is running. */
export interface StageTime {
  stage: Stage;
  startedAt: string;
  endedAt?: string;
}

/** When each stage began and ended, in the order they were entered; a new attempt starts over. */
export class StageClock {
  #times: StageTime[];

  constructor(known: readonly StageTime[]) {
    this.#times = [...known];
  }

  enter(stage: Stage, now: number): void {
    const last = this.#times.at(-1);
    if (last?.stage === stage && last.endedAt === undefined) return;
    this.end(now);
    // Entering a stage again means a new attempt: forget everything since the first time.
    const before = this.#times.findIndex((entry) => entry.stage === stage);
    if (before >= 0) this.#times = this.#times.slice(0, before);
    this.#times.push({ stage, startedAt: new Date(now).toISOString() });
  }

  end(now: number): void {
    const last = this.#times.at(-1);
    if (last === undefined || last.endedAt !== undefined) return;
    this.#times = this.#times.with(-1, { ...last, endedAt: new Date(now).toISOString() });
  }

  list(): StageTime[] {
    return this.#times;
  }
}
