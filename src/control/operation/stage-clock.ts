import type { Stage } from '../../api/meta/progress.ts';

/** How long a stage took; without an end it runs. */
export interface StageTime {
  stage: Stage;
  startedAt: string;
  endedAt?: string;
}

/** When each stage began and ended, in the order they were entered; an attempt that begins anew starts over. */
export class StageClock {
  #times: StageTime[];

  constructor(known: readonly StageTime[]) {
    this.#times = [...known];
  }

  enter(stage: Stage, now: number): void {
    const last = this.#times.at(-1);
    if (last?.stage === stage && last.endedAt === undefined) return;
    this.end(now);
    // Entered again means a new attempt: what came after the first time is told anew.
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
