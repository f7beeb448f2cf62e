import { AppError } from '../../../../base/index.ts';
import type { ArchiveItem } from '../../../../edge/archive/index.ts';
import type { PodName } from '../hooks/hook-record.ts';
import type { PodHooks } from '../hooks/pod-hooks.ts';
import type { PodCopies } from '../volumes/backup-volumes.ts';
import type { Collected } from './collected.ts';

/** A pod whose hooks enclose the copy of its volumes. */
export interface HookedPod {
  item: Collected;
  pod: PodName;
  copies: PodCopies | undefined;
  /** How it goes into the archive; undefined if it cannot. */
  take: () => ArchiveItem | undefined;
}

interface InLine {
  item: Collected;
  work: Promise<ArchiveItem | undefined>;
  isDone: boolean;
}

/** Each is an object, or its text. */
const MOST = 500;

/**
 * Pods with hooks and volumes, one after the other and beside the archive: each waits for its turn with a mover before it
 * is frozen, and the archive goes on meanwhile. They keep their order, which users may have asked for.
 */
export class HookedPods {
  readonly #hooks: PodHooks;
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #line: InLine[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(hooks: PodHooks, signal: AbortSignal) {
    this.#hooks = hooks;
    this.#signal = AbortSignal.any([signal, this.#over.signal]);
  }

  get isEmpty(): boolean {
    return this.#line.length === 0;
  }

  get isFull(): boolean {
    return this.#line.length >= MOST;
  }

  /** The first one has been between its hooks, or was left out. */
  get isFirstDone(): boolean {
    return this.#line[0]?.isDone === true;
  }

  add(pod: HookedPod): void {
    const before = this.#last;
    const work = (async () => {
      try {
        await before;
        return await this.#pass(pod);
      } finally {
        pod.copies?.drop();
      }
    })();
    const inLine: InLine = { item: pod.item, work, isDone: false };
    const done = (): void => {
      inLine.isDone = true;
    };
    // Whoever asks for it hears how it ended.
    work.then(done, done);
    this.#last = work;
    this.#line.push(inLine);
  }

  /** Waits for the first one. */
  async first(): Promise<{ item: Collected; entry: ArchiveItem | undefined }> {
    const first = this.#line.shift();
    if (first === undefined) throw new AppError('bug', 'no pod is in line');
    return { item: first.item, entry: await first.work };
  }

  /** Begins no further one; when it resolves none is between its hooks but for its volumes. */
  async close(): Promise<void> {
    this.#over.abort(new AppError('canceled', 'the archive is not written any more'));
    await Promise.allSettled([this.#last]);
  }

  async #pass({ item, pod, copies, take }: HookedPod): Promise<ArchiveItem | undefined> {
    this.#signal.throwIfAborted();
    await copies?.turn(this.#signal);
    const hold = copies && (() => copies.start());
    return await this.#hooks.aroundHeld(item.object, pod, { work: take, hold }, this.#signal);
  }
}
