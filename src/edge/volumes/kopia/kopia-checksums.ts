import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../base/index.ts';
import {
  CHECKSUMS_TAG,
  readSnapshots,
  REPOSITORY_USER,
  SNAPSHOT_PIN,
  type VolumeSource,
} from '../../../core/volumes/index.ts';
import { compareChecksums, recordChecksums, type HashingCall } from '../checksums.ts';
import { kopiaError } from './kopia-errors.ts';
import type { KopiaProgram } from './kopia-program.ts';

const FILE = 'checksums.jsonl';
const STORE = 'store the checksums of the volume';
const FIND = 'find the checksums of the volume';

/** Reads all files and keeps their checksums beside the volume's snapshots, in a small snapshot of its own. */
export class RecordedChecksums {
  readonly #kopia: KopiaProgram;
  readonly #folder: string;

  constructor(kopia: KopiaProgram) {
    this.#kopia = kopia;
    this.#folder = join(kopia.scratch, 'checksums');
  }

  async record(root: string, call: HashingCall): Promise<string> {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { mode: 0o700 });
    return await recordChecksums(root, join(this.#folder, FILE), call);
  }

  async store(id: string, { namespace, pod, volume }: VolumeSource, signal: AbortSignal): Promise<void> {
    const { username, hostname } = REPOSITORY_USER;
    const args = [
      ...['snapshot', 'create', '--no-progress', '--no-send-snapshot-report', `--pin=${SNAPSHOT_PIN}`],
      `--override-source=${username}@${hostname}:headway-checksums/kopia/${namespace}/${pod}/${volume}`,
      `--tags=${CHECKSUMS_TAG}:${id}`,
      this.#folder,
    ];
    await this.#kopia.ask(STORE, args, signal);
  }

  /** Undefined when none were recorded. */
  async compare(
    volumeId: string,
    root: string,
    call: HashingCall & { onNote: (text: string) => void },
  ): Promise<string | undefined> {
    const list = ['snapshot', 'list', '--all', `--tags=${CHECKSUMS_TAG}:${volumeId}`];
    const found = readSnapshots(await this.#kopia.ask(FIND, list, call.signal)).at(-1);
    if (found === undefined) return undefined;
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { mode: 0o700 });
    await this.#kopia.do(FIND, ['restore', '--mode=local', '--skip-owners', found.id, this.#folder], call.signal);
    return await compareChecksums(root, join(this.#folder, FILE), call);
  }
}

/**
 * Throws if something that the snapshot refers to is not in the repository. kopia trusts its index and would not say, so
 * that every further backup of a file would lack what a rule of the bucket, or somebody, has deleted.
 */
export async function verifySnapshot(kopia: KopiaProgram, snapshotID: string, signal: AbortSignal): Promise<void> {
  const what = 'look whether everything of the snapshot is in the repository';
  // However long that takes: there may be any number of files.
  const { exitCode, said } = await kopia.run(['snapshot', 'verify', '--verify-files-percent=0', snapshotID], signal);
  signal.throwIfAborted();
  if (exitCode === 0) return;
  const error = kopiaError(what, said);
  if (error.code !== 'invalid') throw error;
  const hint = 'earlier backups may lack it too; back up to another location, or delete this repository with them';
  throw new AppError('invalid', error.message, { details: { hint } });
}
