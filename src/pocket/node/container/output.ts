import type { Readable } from 'node:stream';
import { drained } from '../../apiserver/connect/index.ts';
import type { ContainerLog, StreamName } from '../logs/index.ts';
import type { ContainerProcess } from '../process/index.ts';

/** Hears what a container says from now on. */
export type Listener = (stream: StreamName, chunk: Buffer) => void;

/** The first words are enough to see why a program could not be started. */
const MAX_FIRST_WORDS = 1024;

/** Leads what a container says into its log and to those who are attached. */
export class Output {
  readonly #log: ContainerLog;
  readonly #listeners = new Set<Listener>();
  readonly #flows: Promise<void>[];
  readonly #streams: Readable[];
  #output = 0;
  #errors = '';

  constructor({ output, errors }: ContainerProcess, log: ContainerLog) {
    this.#log = log;
    this.#streams = errors === undefined ? [output] : [output, errors];
    this.#flows = [this.#flow('stdout', output), ...(errors === undefined ? [] : [this.#flow('stderr', errors)])];
  }

  /** Returns a function that ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get said(): { output: number; errors: string } {
    return { output: this.#output, errors: this.#errors };
  }

  /** Resolves when everything is written. The process has ended. */
  async drain(): Promise<void> {
    await drained(this.#streams, Promise.all(this.#flows));
  }

  async #flow(name: StreamName, stream: Readable): Promise<void> {
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (name === 'stdout') this.#output += chunk.length;
        else if (this.#errors.length < MAX_FIRST_WORDS) this.#errors += chunk.toString();
        for (const listener of this.#listeners) listener(name, chunk);
        // No faster than the disk: a program that says more waits for us.
        await this.#log.write(name, chunk);
      }
    } catch {
      // The pipe was closed by `drain`, or with the container.
    }
  }
}
