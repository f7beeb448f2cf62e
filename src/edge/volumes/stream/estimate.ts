import { Worker } from 'node:worker_threads';

/** How much there is to pack, found out by a thread of its own while the packing goes on. */
export class Estimate implements Disposable {
  readonly #worker: Worker;
  #bytes: number | undefined;

  constructor(root: string) {
    this.#worker = new Worker(new URL('./estimate-worker.ts', import.meta.url), { workerData: root });
    this.#worker.on('message', (bytes: number) => {
      this.#bytes = bytes;
    });
    // Then there is no total; the tree that cannot be walked is told by whoever packs it.
    this.#worker.on('error', () => undefined);
    this.#worker.unref();
  }

  /** Undefined until it is known. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  [Symbol.dispose](): void {
    void this.#worker.terminate();
  }
}
