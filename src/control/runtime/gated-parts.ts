import { AppError } from '../../base/index.ts';
import { firstAborted } from './abort.ts';
import type { Door } from './door.ts';
import { PartGroup } from './part-group.ts';
import type { Part, RuntimeDeps } from './ports.ts';

/** From when the door is shut until all have stopped. Whoever shut it may be at work already. */
const STOP_MS = 25_000;

/** Parts that work only while a door is open, such as those of one engine. They are started anew each time. */
export class GatedParts implements Part {
  readonly name: string;
  readonly #parts: readonly Part[];
  readonly #door: Door;
  readonly #deps: RuntimeDeps;
  #group: PartGroup | undefined;

  constructor(name: string, parts: readonly Part[], { door, ...deps }: RuntimeDeps & { door: Door }) {
    this.name = name;
    this.#parts = parts;
    this.#door = door;
    this.#deps = deps;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let shut: AbortSignal;
      try {
        shut = await this.#door.pass(signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      await this.#work(signal, shut);
    }
  }

  /** Those that have not stopped yet. */
  busy(): readonly string[] {
    return this.#group?.running() ?? [];
  }

  async #work(signal: AbortSignal, shut: AbortSignal): Promise<void> {
    const group = new PartGroup(this.#parts, this.#deps);
    this.#group = group;
    group.start();
    await firstAborted([signal, shut, group.failure]);
    const reason: unknown = signal.aborted ? signal.reason : shut.aborted ? shut.reason : group.failure.reason;
    const hung = await group.stop(reason, STOP_MS);
    if (group.failure.aborted) throw group.failure.reason;
    if (hung.length > 0) {
      throw new AppError('timeout', `still at work after being told to stop: ${hung.join(', ')}`, { cause: reason });
    }
    this.#group = undefined;
  }
}
