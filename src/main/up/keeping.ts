import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFiles } from '../../pocket/index.ts';
import type { PocketDirectory } from '../pocket-directory.ts';

/** Whether the cluster outlives `headway up`. A demo begins and ends empty unless somebody asked to keep it. */
export class Keeping {
  readonly #directory: PocketDirectory;
  readonly #program: string;
  readonly #isDemo: boolean;
  readonly isKept: boolean;
  /** A demo from before, which has its sample application already. */
  readonly isContinued: boolean;

  constructor(directory: PocketDirectory, { demo, keep, program }: { demo: boolean; keep: boolean; program: string }) {
    this.#directory = directory;
    this.#program = program;
    this.#isDemo = demo;
    this.isContinued = demo && existsSync(this.#mark);
    this.isKept = !demo || keep || this.isContinued;
  }

  get #mark(): string {
    return join(this.#directory.path, 'keep');
  }

  get #command(): string {
    return `${this.#program} up${this.#isDemo ? ' --demo' : ''}`;
  }

  /** Before the cluster starts. What a demo that was killed has left is not somebody's to keep. */
  begin(): void {
    if (this.#isDemo && !this.isContinued) this.#remove();
  }

  /** Once the cluster holds its directory. */
  mark(): void {
    if (this.#isDemo && this.isKept) writeFileSync(this.#mark, '');
  }

  /** What Ctrl-C will do. */
  get warning(): string {
    const { name } = this.#directory;
    if (this.isContinued) {
      return `This demo was kept. Begin with a new one: ${this.#program} pocket down ${name} --purge`;
    }
    return this.isKept
      ? 'The cluster and everything in it are kept when you stop it.'
      : `Ctrl-C deletes this cluster and its data; to keep it: ${this.#command} --keep`;
  }

  /** After the cluster has stopped: what became of it. Nothing when another process has it. */
  end(): string | undefined {
    const { name } = this.#directory;
    if (this.#directory.isHeld) return undefined;
    if (this.isKept) return `Stopped. Pocket cluster "${name}" is kept; start it again with: ${this.#command}`;
    this.#remove();
    return `Stopped. Pocket cluster "${name}" and everything in it were deleted.`;
  }

  /** Another demo that is just starting must not lose its files to this one. */
  #remove(): void {
    if (!this.#directory.isHeld) removeFiles(this.#directory.path);
  }
}
