import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What is packed by then needs no estimate, and a thread costs as much as thousands of small files. */
const DELAY_MS = 700;

/** How much there is to pack, found out by a thread of its own while the packing goes on. */
export class Estimate implements Disposable {
  readonly #starting: NodeJS.Timeout;
  #worker: Worker | undefined;
  #bytes: number | undefined;

  constructor(root: string) {
    this.#starting = setTimeout(() => {
      this.#worker = new Worker(new URL(`./estimate-worker${extname(import.meta.url)}`, import.meta.url), {
        workerData: root,
      });
      this.#worker.on('message', (bytes: number) => {
        this.#bytes = bytes;
      });
      // Then there is no total; a tree that cannot be walked is told by whoever packs it.
      this.#worker.on('error', () => undefined);
      this.#worker.unref();
    }, DELAY_MS);
    this.#starting.unref();
  }

  /** Undefined until it is known. */
  get bytes(): number | undefined {
    return this.#bytes;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#starting);
    void this.#worker?.terminate();
  }
}
