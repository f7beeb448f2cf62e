import { thirds, type FunctionStats, type Third } from '../../../core/action/index.ts';

/** How far a function is that cannot tell by itself: prerequisites, execution and cleanup, each a third. */
export class Thirds {
  #done: Third = 0;

  /** Never goes back: a pod that starts again has not undone its prerequisites. */
  reach(done: Third): void {
    if (done > this.#done) this.#done = done;
  }

  stats(): FunctionStats {
    return { percent: thirds(this.#done) };
  }
}
