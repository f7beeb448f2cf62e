import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../base/index.ts';
import type { PocketStatus } from '../cli/index.ts';
import { ProcessLock } from './process-lock.ts';

const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** What the running process tells about itself; meaningful only while it holds the lock. */
export interface RunRecord {
  pid: number;
  server: string;
  startedAt: string;
  /** How its pods are run, in a sentence. */
  pods: string;
}

/** One pocket cluster's files below `$HEADWAY_HOME/pocket/NAME`. */
export class PocketDirectory {
  readonly name: string;
  readonly path: string;

  constructor(home: string, name: string) {
    if (!NAME.test(name)) {
      throw new AppError(
        'usage',
        `"${name}" is not a valid name for a pocket cluster: expected 1 to 40 lower-case letters, digits and dashes, no dash at either end`,
      );
    }
    this.name = name;
    this.path = join(home, 'pocket', name);
  }

  static all(home: string): PocketDirectory[] {
    const root = join(home, 'pocket');
    if (!existsSync(root)) return [];
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
      .map((entry) => new PocketDirectory(home, entry.name));
  }

  get kubeconfigFile(): string {
    return join(this.path, 'kubeconfig');
  }
  get logFile(): string {
    return join(this.path, 'pocket.log');
  }
  get lockFile(): string {
    return join(this.path, 'lock');
  }
  get exists(): boolean {
    return existsSync(this.path);
  }

  /** The port that copies of its kubeconfig have; undefined before the first start. */
  get port(): number | undefined {
    if (!existsSync(this.kubeconfigFile)) return undefined;
    const [, port] = /^ *server: https:\/\/127\.0\.0\.1:(\d+)$/m.exec(readFileSync(this.kubeconfigFile, 'utf8')) ?? [];
    return port === undefined ? undefined : Number(port);
  }

  /** Also while its holder is still starting or stopping, when the status says stopped. */
  get isHeld(): boolean {
    return this.exists && ProcessLock.isHeld(this.lockFile);
  }

  status(): PocketStatus {
    const record = this.isHeld ? this.readRun() : undefined;
    const base = { name: this.name, kubeconfig: this.kubeconfigFile };
    // A holder that is still starting may stand beside the record of one that was killed.
    return record !== undefined && isAlive(record.pid)
      ? { ...base, state: 'running', ...record }
      : { ...base, state: 'stopped' };
  }

  /** Undefined when there is none yet, or it was cut short by a kill. */
  readRun(): RunRecord | undefined {
    try {
      return JSON.parse(readFileSync(join(this.path, 'run.json'), 'utf8')) as RunRecord;
    } catch {
      // The writer renames a whole file into place, so unreadable means: not written, or not ours.
      return undefined;
    }
  }

  writeRun(record: RunRecord): void {
    const file = join(this.path, 'run.json');
    writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`);
    renameSync(`${file}.new`, file);
  }

  clearRun(): void {
    rmSync(join(this.path, 'run.json'), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process; nobody else's process holds our lock.
    return false;
  }
}
