import { formatBytes, type Clock } from '../../base/index.ts';

/** Often enough that nobody wonders, seldom enough for a log. */
const EVERY_MS = 10_000;

/** Tells how far a long transfer is, on standard error, where it does not disturb the data. */
export class TransferNotes {
  readonly #note: (line: string) => void;
  readonly #clock: Clock;
  #nextAt: number;
  #waitingFor = '';
  #isStopped = false;

  constructor({ note, clock }: { note: (line: string) => void; clock: Clock }) {
    this.#note = note;
    this.#clock = clock;
    this.#nextAt = clock.uptime() + EVERY_MS;
  }

  moved(verb: 'sent' | 'fetched', bytes: number): void {
    this.#waitingFor = '';
    const now = this.#clock.uptime();
    if (this.#isStopped || now < this.#nextAt) return;
    this.#nextAt = now + EVERY_MS;
    this.#note(`kando: ${verb} ${formatBytes(bytes)}`);
  }

  /** The same cause is told once. */
  waiting(cause: string): void {
    if (cause === this.#waitingFor) return;
    this.#waitingFor = cause;
    this.#note(`kando: waiting for the store: ${cause}`);
  }

  async *counting(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      this.moved('fetched', bytes);
      yield chunk;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
