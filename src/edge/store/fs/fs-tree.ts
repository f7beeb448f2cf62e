import { constants } from 'node:fs';
import { lstat, mkdir, open, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../base/index.ts';
import { keyProblem } from '../key.ts';
import { systemCode } from './fs-errors.ts';

/** Unfinished puts, as `<id>/<key>`; not part of the store's content. */
export const UPLOADS = '.headway-uploads';

const MAX_NAME_BYTES = 255;

/** Why a valid key cannot be a file; undefined when it can. */
export function fileProblem(key: string): string | undefined {
  const problem = keyProblem(key);
  if (problem !== undefined) return problem;
  if (key.includes('\\')) return 'it contains a backslash';
  const parts = key.split('/');
  if (parts[0] === UPLOADS) return `${UPLOADS} is reserved`;
  const long = parts.find((part) => Buffer.byteLength(part) > MAX_NAME_BYTES);
  return long === undefined ? undefined : `a component has more than ${MAX_NAME_BYTES} bytes`;
}

/**
 * Directories below a trusted one. Links are never followed: every component is checked before it is used. (Node has no
 * openat, so somebody who may write below the root while it is in use could still win a race.)
 */
export class FsTree {
  readonly base: string;

  /** An existing directory whose own path contains no links. */
  constructor(base: string) {
    this.base = base;
  }

  at(parts: readonly string[]): string {
    return join(this.base, ...parts);
  }

  /** False when a part of the path does not exist; throws when it goes through a link. */
  async isDirectory(parts: readonly string[]): Promise<boolean> {
    for (let depth = 0; depth <= parts.length; depth += 1) {
      const kind = await this.kindOf(parts.slice(0, depth));
      if (depth === 0 && kind !== 'directory') throw baseMissing(this.base);
      if (kind !== 'directory') return false;
    }
    return true;
  }

  async kindOf(parts: readonly string[]): Promise<'file' | 'directory' | 'other' | 'missing'> {
    const path = this.at(parts);
    try {
      const facts = await lstat(path);
      if (facts.isSymbolicLink()) throw new AppError('forbidden', `use ${path}: links are not followed`);
      if (facts.isDirectory()) return 'directory';
      return facts.isFile() ? 'file' : 'other';
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return 'missing';
      throw error;
    }
  }

  /** Creates the missing parts of the path so that they survive a power cut. */
  async makeDirectory(parts: readonly string[]): Promise<void> {
    if ((await this.kindOf([])) !== 'directory') throw baseMissing(this.base);
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const way = parts.slice(0, depth);
      try {
        await mkdir(this.at(way), 0o700);
        await this.sync(way.slice(0, -1));
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error;
        const kind = await this.kindOf(way);
        if (kind === 'file' || kind === 'other')
          throw new AppError('invalid', `use ${this.at(way)} as a folder: it is an object`);
      }
    }
  }

  async remove(parts: readonly string[]): Promise<void> {
    await rm(this.at(parts), { recursive: true, force: true });
  }

  /** Removes directories that became empty, from the innermost outwards, but none of the first `keep`. */
  async removeEmpty(parts: readonly string[], keep: number): Promise<void> {
    for (let depth = parts.length; depth > keep; depth -= 1) {
      try {
        await rmdir(this.at(parts.slice(0, depth)));
      } catch {
        // Not empty, or somebody else was faster: either way there is nothing more to clean up.
        return;
      }
    }
  }

  async sync(parts: readonly string[]): Promise<void> {
    const handle = await open(this.at(parts), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

function baseMissing(base: string): AppError {
  return new AppError('unreachable', `use ${base}: the directory does not exist, is its disk mounted?`);
}
