import type { ServerResponse } from 'node:http';

/** A client that leaves this much unread is cut off; it comes back and goes on from what it has seen. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** Lines on their way to a client, in order and no faster than it reads. */
export class Outbox {
  readonly #response: ServerResponse;
  #waiting: (Buffer | (() => Buffer))[] = [];
  #next = 0;
  #unread = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('drain', () => {
      this.#flush();
    });
  }

  /** What happens while the client watches: it is kept for one that is slow, up to a limit. */
  send(line: Buffer): void {
    if (this.#unread + line.length > MAX_UNREAD_BYTES && this.#unread > 0) {
      this.#response.destroy();
      return;
    }
    this.#waiting.push(line);
    this.#unread += line.length;
    this.#flush();
  }

  /** What is there anyway: however much it is, it waits for the client and is made when its turn comes. */
  sendWhenRead(line: () => Buffer): void {
    this.#waiting.push(line);
    this.#flush();
  }

  end(): void {
    this.#waiting = [];
    this.#next = 0;
    this.#response.end();
  }

  #flush(): void {
    while (this.#next < this.#waiting.length) {
      if (this.#response.writableNeedDrain || this.#response.destroyed) return;
      const line = this.#waiting[this.#next];
      // What was sent is let go at once; the list itself only when all of it was.
      this.#waiting[this.#next] = EMPTY;
      this.#next += 1;
      if (line === undefined) continue;
      if (typeof line !== 'function') this.#unread -= line.length;
      this.#response.write(typeof line === 'function' ? line() : line);
    }
    this.#waiting = [];
    this.#next = 0;
  }
}

const EMPTY = Buffer.alloc(0);
