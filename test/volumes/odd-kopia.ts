import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { KOPIA } from './kopia-place.ts';

/**
 * What stands between a mover and the real kopia: it does first what a file says whose name is the volume's, or
 * `restore`. The real one is in the pod as `restic`, the only other program that a pocket cluster can be given.
 * `say` speaks as kopia, `tell` as the mover itself; `hold` waits until the test lets go.
 */
const SCRIPT = `#!/bin/sh
odd=/headway/repository/kopia/odd
volume=/headway/scratch/volume
mover=$PPID
say() { printf '%s\\n' "$1" >&2; }
tell() { printf '%s\\n' "$1" >/proc/$mover/fd/2; }
hold() { : >"$odd/held-$name"; while [ ! -e "$odd/go-$name" ]; do sleep 0.1; done; }
case " $* " in
  *' snapshot create '*) name=$(printf '%s\\n' "$*" | sed -n 's/.*--tags=volume:\\([^ ]*\\).*/\\1/p') ;;
  *' restore '*) name=restore ;;
  *) name=other ;;
esac
[ -f "$odd/every" ] && . "$odd/every"
[ -f "$odd/$name" ] && . "$odd/$name"
exec /usr/local/bin/restic "$@"
`;

/** kopia's own words for a part of the way. */
export const KOPIA_AT = (done: string, total: string): string =>
  `say ' * 0 hashing, 1 hashed (${done}), 0 cached (0 B), uploaded 1 MB, estimated ${total} (10.0%) 1m0s left'\n`;

/** A kopia that misbehaves as a test wants it, for repositories in a directory. */
export class OddKopia implements Disposable {
  readonly #place = mkdtempSync(join(tmpdir(), 'headway-odd-'));
  readonly file = join(this.#place, 'kopia');
  readonly #bucket: () => string;

  constructor(bucket: () => string) {
    this.#bucket = bucket;
    writeFileSync(this.file, SCRIPT, { mode: 0o755 });
  }

  /** For a pocket cluster in this process. */
  get tools(): { name: string; file: string }[] {
    return [
      { name: 'kopia', file: this.file },
      { name: 'restic', file: KOPIA },
    ];
  }

  /** For one in a process of its own. */
  get flags(): string[] {
    return ['--kopia', this.file, '--restic', KOPIA];
  }

  get #directory(): string {
    const path = join(this.#bucket(), 'kopia', 'odd');
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** What happens before kopia copies this volume; `restore` for any that is restored, `every` for all runs. */
  does(volume: string, script: string): void {
    writeFileSync(join(this.#directory, volume), script);
  }

  isHeld(volume: string): boolean {
    return existsSync(join(this.#directory, `held-${volume}`));
  }

  /** Waits until the script of this volume holds it. */
  async held(volume: string): Promise<void> {
    await eventually(
      () => {
        expect(this.isHeld(volume)).toBe(true);
      },
      { withinMs: 60_000 },
    );
  }

  letGo(volume: string): void {
    writeFileSync(join(this.#directory, `go-${volume}`), '');
  }

  /** What a script wrote there. */
  said(name: string): string {
    const file = join(this.#directory, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  forget(): void {
    for (const name of readdirSync(this.#directory)) rmSync(join(this.#directory, name));
  }

  [Symbol.dispose](): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}
