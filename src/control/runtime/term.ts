import { AppError } from '../../base/index.ts';
import { firstAborted } from './abort.ts';
import type { Part } from './ports.ts';

/** This process's term as leader, for work that outlives the reconcile that started it. It must be the first worker. */
export class Term implements Part {
  readonly name = 'term';
  #signal: AbortSignal = AbortSignal.abort(new AppError('canceled', 'this process does not lead'));

  get signal(): AbortSignal {
    return this.#signal;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await firstAborted([signal]);
  }
}
