import type { AppError } from '../../base/index.ts';
import { firstAborted } from './abort.ts';

/** Something that may keep parts from working for a while. */
export interface Gate {
  /** Resolves when they may work, with a signal that is aborted when they may no longer. Rejects with the signal given. */
  pass(signal: AbortSignal): Promise<AbortSignal>;
}

/** A gate that somebody opens and shuts, any number of times. It is shut at first. */
export class Door implements Gate {
  readonly #listeners = new Set<() => void>();
  /** Aborted when the door is shut; undefined while it is. */
  #open: AbortController | undefined;

  /** Aborted when it is shut, with the reason; undefined while it is. */
  get inside(): AbortSignal | undefined {
    return this.#open?.signal;
  }

  open(): void {
    if (this.#open !== undefined) return;
    this.#open = new AbortController();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Whoever works behind it is told to stop, for this reason. */
  shut(reason: AppError): void {
    const open = this.#open;
    this.#open = undefined;
    open?.abort(reason);
  }

  /** Told whenever it is opened. Returns the way out. */
  onOpen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async pass(signal: AbortSignal): Promise<AbortSignal> {
    return await passAny([this], signal);
  }
}

/** Open while at least one of the doors is. */
export function anyOf(doors: readonly Door[]): Gate {
  return { pass: (signal) => passAny(doors, signal) };
}

async function passAny(doors: readonly Door[], signal: AbortSignal): Promise<AbortSignal> {
  for (;;) {
    signal.throwIfAborted();
    const inside = doors.flatMap((door) => door.inside ?? []);
    if (inside.length > 0) return allShut(doors, inside);
    const opened = new AbortController();
    const leave = doors.map((door) =>
      door.onOpen(() => {
        opened.abort();
      }),
    );
    await firstAborted([signal, opened.signal]);
    for (const each of leave) each();
  }
}

/** Aborted with the reason of the door that was shut last. One that was opened meanwhile counts as well. */
function allShut(doors: readonly Door[], inside: readonly AbortSignal[]): AbortSignal {
  const shut = new AbortController();
  const followed = new WeakSet<AbortSignal>();
  const follow = (each: AbortSignal): void => {
    if (followed.has(each)) return;
    followed.add(each);
    each.addEventListener('abort', () => {
      const left = doors.flatMap((door) => door.inside ?? []);
      if (left.length === 0) shut.abort(each.reason);
      for (const other of left) follow(other);
    });
  };
  for (const each of inside) follow(each);
  return shut.signal;
}
