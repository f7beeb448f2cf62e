import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SCRIPT = new URL('../fixtures/native-plugin/plugin.py', import.meta.url).pathname;
export const RIGHTS = new URL('../fixtures/native-plugin/rights.yaml', import.meta.url).pathname;
export const PLUGIN = 'example.com/files';

/** Undefined if the machine has a Python that can run the sample plugin. */
export function whyNoPython(): string | undefined {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']);
  return status === 0 ? undefined : 'python3 is not there, or older than 3.8';
}

/** The sample plugin as a process, with volumes as files. */
export class PythonPlugin implements AsyncDisposable {
  readonly storage: string;
  readonly #child: ChildProcess;

  private constructor(storage: string, child: ChildProcess) {
    this.storage = storage;
    this.#child = child;
  }

  static async start(at: { server: string; ca: string; token: string }, ...options: string[]): Promise<PythonPlugin> {
    const storage = mkdtempSync(join(tmpdir(), 'headway-python-'));
    mkdirSync(join(storage, 'volumes'));
    writeFileSync(join(storage, 'token'), at.token, { mode: 0o600 });
    writeFileSync(join(storage, 'ca.pem'), at.ca);
    const args = ['--server', at.server, '--token-file', join(storage, 'token'), '--ca', join(storage, 'ca.pem')];
    const child = spawn('python3', [SCRIPT, ...args, '--storage', storage, '--name', PLUGIN, ...options], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(createInterface({ input: child.stdout }), 'line');
    return new PythonPlugin(storage, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
    rmSync(this.storage, { recursive: true, force: true });
  }
}
