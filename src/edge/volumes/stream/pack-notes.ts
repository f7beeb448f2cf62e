import { AppError } from '../../../base/index.ts';
import { causeOf } from '../file-errors.ts';
import { systemCode } from '../system-code.ts';
import type { BytePath } from '../byte-path.ts';
import { shownPath } from '../shown-path.ts';
import { NameList } from '../name-list.ts';

/** A file that is gone, or a directory or link in whose place something else is, was gone for the backup. */
const GONE: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Which files could not be packed as they were, in a few sentences. */
export class PackNotes {
  readonly #unread = new NameList();
  readonly #vanished = new NameList();
  readonly #changed = new NameList();
  readonly #special = new NameList();

  special(path: BytePath, kind: string): void {
    this.#special.add(`${shownPath(path)} (${kind})`);
  }

  changed(path: BytePath, hasShrunk: boolean): void {
    this.#changed.add(`${shownPath(path)}${hasShrunk ? ' (it became shorter)' : ''}`);
  }

  vanished(path: BytePath): void {
    this.#vanished.add(shownPath(path));
  }

  /** Anything that a system call threw; throws what no system call did. */
  problem(path: BytePath, error: unknown): void {
    const code = systemCode(error);
    if (code === undefined || error instanceof AppError) throw error;
    // Anything else must not be passed over.
    if (GONE.includes(code)) this.vanished(path);
    else this.#unread.add(`${shownPath(path)} (${causeOf(error)})`);
  }

  /** Throws if there were files that could not be read. */
  tell(onNote: (text: string) => void): void {
    const [unread, special, vanished, changed] = [this.#unread, this.#special, this.#vanished, this.#changed];
    if (unread.count > 0) throw new AppError('forbidden', `read the volume: cannot read ${named(unread)}`);
    if (special.count > 0) onNote(`left out, being no files or links: ${named(special)}`);
    if (vanished.count > 0) onNote(`vanished while the volume was read: ${named(vanished)}`);
    if (changed.count > 0) onNote(`changed while being read: ${named(changed)}`);
  }
}

function named(names: NameList): string {
  return `${names.count === 1 ? '1 file' : `${names.count} files`}: ${String(names)}`;
}
