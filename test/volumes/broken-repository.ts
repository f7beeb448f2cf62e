import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import { KOPIA, type KopiaPlace } from './kopia-place.ts';

/** A kopia repository of the engine, and whatever may happen to one behind its back. */
export class BrokenRepository {
  readonly path: string;
  readonly #place: KopiaPlace;

  constructor(path: string, place: KopiaPlace) {
    this.path = path;
    this.#place = place;
  }

  /** Before the first backup: of the oldest format, the only one that can still be upgraded. */
  createOld(): void {
    mkdirSync(this.path, { recursive: true });
    this.#kopia('repository', 'create', 'filesystem', `--path=${this.path}`, '--format-version=2');
  }

  /** Somebody has begun to upgrade it, and nobody else may use it until he has finished. */
  lock(): void {
    this.#connect();
    this.#kopia('repository', 'upgrade', 'begin', '--upgrade-owner-id=me', '--io-drain-timeout=1h', '--lock-only');
  }

  needNewerKopia(): void {
    this.#connect();
    this.#kopia('repository', 'set-parameters', '--add-required-feature=time-travel');
  }

  changePassword(): void {
    this.#connect();
    this.#kopia('repository', 'change-password', '--new-password=known-to-somebody-else');
  }

  /** Blobs with these first letters: `p` is data, `q` is what says what the data is. */
  lose(letter: 'p' | 'q'): void {
    for (const name of readdirSync(this.path)) {
      if (name.startsWith(letter)) rmSync(join(this.path, name), { recursive: true });
    }
  }

  async snapshots(): Promise<number> {
    const repository = { kind: 'filesystem' as const, path: this.path };
    return (await this.#place.snapshots(repository, { password: REPOSITORY_SECRET.defaultPassword })).length;
  }

  #connect(): void {
    this.#kopia('repository', 'connect', 'filesystem', `--path=${this.path}`, '--no-check-for-updates');
  }

  #kopia(...args: string[]): void {
    const env = {
      ...process.env,
      KOPIA_PASSWORD: REPOSITORY_SECRET.defaultPassword,
      KOPIA_UPGRADE_LOCK_ENABLED: '1',
      KOPIA_TESTONLY_FLAGS: '1',
      HOME: this.#place.path,
    };
    const config = `--config-file=${join(this.#place.path, 'broken.config')}`;
    execFileSync(KOPIA, [config, '--no-auto-maintenance', ...args], { env, stdio: 'pipe' });
  }
}
