import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { formatJob, type MoverJob } from '../../src/core/volumes/index.ts';
import type { KopiaSecrets, StartMover } from '../../src/edge/volumes/index.ts';

export const PROGRAM = new URL('../../bin/headway', import.meta.url).pathname;

/** Movers as plain processes of this machine, as a pod would run them. */
export class ProcessMovers implements Disposable {
  readonly #place = mkdtempSync(join(tmpdir(), 'headway-mover-'));
  readonly #children: ChildProcess[] = [];
  readonly #secrets: Partial<KopiaSecrets>;
  #uses = 0;

  constructor(secrets: Partial<KopiaSecrets> = {}) {
    this.#secrets = secrets;
  }

  /** A job file, and a folder with its secrets beside it. */
  write(job: MoverJob): string {
    const file = join(this.#place, `job-${(this.#uses += 1)}.json`);
    const secrets = mkdtempSync(join(this.#place, 'secrets-'));
    for (const [name, value] of Object.entries(this.#secrets)) writeFileSync(join(secrets, name), String(value));
    writeFileSync(file, formatJob(job.uploader === 'kopia' ? { ...job, secrets } : job));
    return file;
  }

  spawn(job: MoverJob): ChildProcess {
    const env = { PATH: process.env['PATH'], HOME: this.#place, HEADWAY_HOME: join(this.#place, 'home') };
    const child = spawn(PROGRAM, ['mover', this.write(job)], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#children.push(child);
    return child;
  }

  readonly start: StartMover = (job, { signal, input }) => {
    const child = this.spawn(job);
    const { stdin, stdout, stderr } = child;
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    if (input === undefined) stdin?.end();
    // What the mover does not read any more, it says itself.
    else void pipeline(input, stdin!).catch(() => undefined);
    const ended = once(child, 'exit').then(([code]) => (code as number | null) ?? undefined);
    return Promise.resolve({ lines: linesOf(stderr!), output: stdout!, ended });
  };

  [Symbol.dispose](): void {
    for (const child of this.#children) if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(this.#place, { recursive: true, force: true });
  }
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
