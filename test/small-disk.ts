import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in the place of a directory: the only honest way to a full disk. It takes root. */
export class SmallDisk implements Disposable {
  readonly #directory: string;

  constructor(directory: string, size: string) {
    mkdirSync(directory, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', directory], { stdio: 'pipe' });
    this.#directory = directory;
  }

  forbidWriting(): void {
    execFileSync('mount', ['-o', 'remount,ro', this.#directory], { stdio: 'pipe' });
  }

  /** Also while somebody has it open. What was in the directory before is there again. */
  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.#directory], { stdio: 'pipe' });
  }
}

export function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'headway-mount-'));
  try {
    using _ = new SmallDisk(directory, '64k');
    return true;
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
