import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PocketDirectory } from '../src/main/pocket-directory.ts';
import { eventually } from './eventually.ts';

/** One that is just starting can only be ended when it has started. */
const MAX_TRIES = 5;
const PROGRAM = new URL('../bin/headway', import.meta.url).pathname;

export interface Finished {
  code: number | null;
  out: string;
  err: string;
}

/** The program as a user runs it, with a home of its own that goes away with it. */
export class HeadwayHome implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'headway-home-'));
  readonly #env: NodeJS.ProcessEnv;
  readonly #started: ChildProcess[] = [];

  constructor(env: NodeJS.ProcessEnv = {}) {
    // On the PATH, so that messages call it by its name alone.
    const path = `${dirname(PROGRAM)}:${process.env['PATH'] ?? ''}`;
    this.#env = { PATH: path, HOME: this.path, HEADWAY_HOME: join(this.path, 'state'), ...env };
  }

  start(...args: string[]): Running {
    const child = spawn(PROGRAM, args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#started.push(child);
    return new Running(child);
  }

  async run(...args: string[]): Promise<Finished> {
    return await this.start(...args).finished();
  }

  [Symbol.dispose](): void {
    // A test that failed in the middle leaves its programs running.
    for (const child of this.#started) if (child.exitCode === null) child.kill('SIGKILL');
    this.#endPockets();
    rmSync(this.path, { recursive: true, force: true });
  }

  /** What `pocket up` started runs in the background, in a session of its own. */
  #endPockets(): void {
    for (const pocket of PocketDirectory.all(this.#env['HEADWAY_HOME'] ?? '')) {
      for (let tries = 0; tries < MAX_TRIES && pocket.isHeld; tries += 1) {
        spawnSync(PROGRAM, ['pocket', 'down', pocket.name], { env: this.#env, stdio: 'ignore', timeout: 20_000 });
      }
    }
  }
}

export class Running {
  readonly child: ChildProcess;
  out = '';
  err = '';
  readonly #ended: Promise<unknown>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.#ended = once(child, 'close');
  }

  async finished(): Promise<Finished> {
    await this.#ended;
    return { code: this.child.exitCode, out: this.out, err: this.err };
  }

  async prints(text: string, withinMs = 30_000): Promise<void> {
    await eventually(
      () => {
        if (!this.out.includes(text)) throw new Error(`"${text}" did not come; so far:\n${this.out}\n${this.err}`);
      },
      { withinMs },
    );
  }
}

/** Waits until the process is gone; one that nobody has reaped yet is gone too. */
export async function processEnds(pid: number): Promise<void> {
  await eventually(() => {
    if (isRunning(pid)) throw new Error(`process ${pid} still runs`);
  });
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No such file means no such process.
    return false;
  }
}
