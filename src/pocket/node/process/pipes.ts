import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One program makes so many at a time, so that a command in a pod need not wait for it. */
const BATCH = 32;
const LEAST = 8;
const MAKE_WITHIN_MS = 10_000;

export interface Pipe {
  /** Our end. */
  stream: Socket;
  /** The end for a process; whoever starts the process closes it here. */
  descriptor: number;
}

/**
 * Real pipes between this process and others. Those that Node makes are sockets, and what writes to `/dev/stdout` or to
 * `/proc/1/fd/1`, as many images do, cannot open a socket.
 */
export class Pipes {
  readonly #dir: string;
  readonly #mkfifo: string;
  readonly #ready: string[] = [];
  #made = 0;
  #making: Promise<void> | undefined;

  constructor(dir: string, mkfifo: string) {
    this.#dir = dir;
    this.#mkfifo = mkfifo;
  }

  /** What a process writes is read here. */
  async forOutput(): Promise<Pipe> {
    return withBothEnds(await this.#take(), (path) => {
      const ours = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const descriptor = openSync(path, constants.O_WRONLY);
      return { stream: new Socket({ fd: ours, readable: true, writable: false }), descriptor };
    });
  }

  /** What is written here is read by a process. */
  async forInput(): Promise<Pipe> {
    return withBothEnds(await this.#take(), (path) => {
      const descriptor = openSync(path, constants.O_RDONLY);
      const ours = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return { stream: new Socket({ fd: ours, readable: false, writable: true }), descriptor };
    });
  }

  async close(): Promise<void> {
    await this.#making?.catch(() => undefined);
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #take(): Promise<string> {
    while (this.#ready.length === 0) await this.#make();
    if (this.#ready.length < LEAST) void this.#make().catch(() => undefined);
    return this.#ready.pop() ?? '';
  }

  #make(): Promise<void> {
    this.#making ??= this.#makeBatch().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const paths = Array.from({ length: BATCH }, () => join(this.#dir, String((this.#made += 1))));
    // Whoever the process is, it may open its own output again.
    await run(this.#mkfifo, ['-m', '666', ...paths], { timeout: MAKE_WITHIN_MS });
    this.#ready.push(...paths);
  }
}

/** Opening one end of a pipe waits for the other, unless somebody has both: us, until both ends are open. */
function withBothEnds(path: string, open: (path: string) => Pipe): Pipe {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    return open(path);
  } finally {
    closeSync(both);
    unlinkSync(path);
  }
}
