import { AppError, messageOf } from '../../base/index.ts';
import { settlesWithin } from './abort.ts';
import type { Part, RuntimeDeps } from './ports.ts';

/** Parts that start and stop together. A part that throws has a bug, and aborts `failure` with it. */
export class PartGroup {
  readonly #parts: readonly Part[];
  readonly #deps: RuntimeDeps;
  readonly #stop = new AbortController();
  readonly #failure = new AbortController();
  readonly #running = new Map<Part, Promise<void>>();

  constructor(parts: readonly Part[], deps: RuntimeDeps) {
    this.#parts = parts;
    this.#deps = deps;
  }

  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  start(): void {
    for (const part of this.#parts) this.#running.set(part, this.#run(part));
  }

  /** Waits for every part's `ready`; rejects when one can no longer become ready. */
  async ready(): Promise<void> {
    await Promise.all(this.#parts.map(async (part) => part.ready));
  }

  /** Resolves when all have ended or time runs out, with the names of those that have not. */
  async stop(reason: unknown, withinMs: number): Promise<string[]> {
    this.#stop.abort(reason);
    await settlesWithin(Promise.all(this.#running.values()), withinMs, this.#deps.clock);
    return this.running();
  }

  /** The names of those that have not ended. */
  running(): string[] {
    return [...this.#running.keys()].map(nameOf);
  }

  async #run(part: Part): Promise<void> {
    try {
      await part.run(this.#stop.signal);
    } catch (error) {
      this.#deps.log.error('part crashed', { part: part.name, err: messageOf(error) });
      this.#failure.abort(
        new AppError('bug', `${part.name} ended with an error: ${messageOf(error)}`, { cause: error }),
      );
    } finally {
      this.#running.delete(part);
    }
  }
}

function nameOf(part: Part): string {
  const busy = part.busy?.() ?? [];
  return busy.length === 0 ? part.name : `${part.name} (${busy.join(', ')})`;
}
