import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../base/index.ts';
import { LineCutter, LineTimes, type StreamName } from './log-line.ts';
import { LogFolder } from './log-folder.ts';

/** As a kubelet keeps them unless it is told otherwise; of its five files we keep three. */
const LIMITS = { maxBytes: 10 * 1024 * 1024, files: 3 };

/** Of a chunk: even if every byte is a line, that is done in a millisecond or two. */
const AT_A_TIME = 16 * 1024;

/** The log of one life of a container, while it is written. */
export class ContainerLog {
  readonly #folder: LogFolder;
  readonly #clock: Clock;
  readonly #cutters: Readonly<Record<StreamName, LineCutter>>;
  readonly #waiting = new Set<() => void>();
  #writing: Promise<void> = Promise.resolve();
  #isOver = false;
  #lost = 0;

  constructor(dir: string, clock: Clock) {
    this.#folder = new LogFolder(dir, LIMITS);
    this.#clock = clock;
    const times = new LineTimes();
    this.#cutters = { stdout: new LineCutter('stdout', times), stderr: new LineCutter('stderr', times) };
  }

  get dir(): string {
    return this.#folder.dir;
  }

  /** Nothing will be added any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Bytes that could not be written, as on a full disk. */
  get lost(): number {
    return this.#lost;
  }

  /** Resolves when it is on its way to the disk; who waits for that is as fast as the disk. */
  async write(stream: StreamName, chunk: Buffer): Promise<void> {
    const lines: Buffer[] = [];
    for (let at = 0; at < chunk.length; at += AT_A_TIME) {
      // A program that says a lot must not keep the cluster from everything else.
      if (at > 0) await turn();
      lines.push(this.#cutters[stream].cut(chunk.subarray(at, at + AT_A_TIME), this.#clock.now()));
    }
    await this.#append(Buffer.concat(lines));
  }

  async end(): Promise<void> {
    const now = this.#clock.now();
    await this.#append(Buffer.concat([this.#cutters.stdout.end(now), this.#cutters.stderr.end(now)]));
    // What could not be closed will not be written to either.
    await this.#folder.close().catch(() => undefined);
    this.#isOver = true;
    this.#wake();
  }

  async clear(): Promise<void> {
    await this.#folder.clear();
  }

  /** Resolves when there is more to read, or never will be. */
  changed(signal: AbortSignal): Promise<void> {
    if (this.#isOver || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    this.#writing = this.#writing.then(async () => {
      try {
        await this.#folder.append(bytes);
      } catch {
        // The container goes on; what it said is counted and told by whoever runs it.
        this.#lost += bytes.length;
      }
      this.#wake();
    });
    return this.#writing;
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
