import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, messageOf } from '../../../base/index.ts';

/** The directories behind volumes, all in one folder of the cluster. */
export class VolumeDirectories {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'volumes');
  }

  /** The path of an empty directory, or of the one that is there already. */
  async make(name: string): Promise<string> {
    const path = join(this.#root, name);
    try {
      // Whoever the pod's process will be, it may write.
      await mkdir(path, { recursive: true, mode: 0o777 });
    } catch (error) {
      throw new AppError('serverError', `making the directory ${path} of a volume failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
    return path;
  }

  /** Removes what `make` made and refuses any other path, since the path comes from an object anybody may write. */
  async remove(path: string): Promise<void> {
    if (dirname(path) !== this.#root) {
      throw new AppError('invalid', `removing ${path} was refused: expected a directory right below ${this.#root}`);
    }
    await rm(path, { recursive: true, force: true });
  }
}
