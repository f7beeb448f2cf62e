import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log, LogFields } from '../../../base/index.ts';
import { OperationLog } from './operation-log.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** The logs of the operations that run in this process, by uid. */
export class OperationLogs {
  readonly #directory: string;
  readonly #deps: { clock: Clock; log: Log };
  readonly #open = new Map<string, OperationLog>();
  /** Added before the files are created. */
  readonly #files = new Set<string>();

  constructor(directory: string, deps: { clock: Clock; log: Log }) {
    this.#directory = directory;
    this.#deps = deps;
  }

  async open(uid: string, fields: LogFields): Promise<OperationLog> {
    this.#files.add(fileOf(uid));
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const { clock, log } = this.#deps;
    const path = join(this.#directory, fileOf(uid));
    const opened = await OperationLog.open({ path, clock, process: log, maxBytes: MAX_BYTES }, fields);
    this.#open.set(uid, opened);
    return opened;
  }

  /** A process killed after an operation's end leaves its log file here, and nobody needs it any more. */
  async removeAllBut(uids: Iterable<string>): Promise<void> {
    const kept = new Set([...uids].map(fileOf));
    for (const file of await readdir(this.#directory).catch(() => [] as string[])) {
      if (!kept.has(file) && !this.#files.has(file)) await rm(join(this.#directory, file), { force: true });
    }
  }

  /** Undefined when no such operation runs here; its log may be in the store. */
  tail(uid: string, signal: AbortSignal): AsyncIterable<Uint8Array> | undefined {
    return this.#open.get(uid)?.tail(signal);
  }

  async close(uid: string, options: { keep: boolean }): Promise<void> {
    const log = this.#open.get(uid);
    this.#open.delete(uid);
    await log?.close(options);
    this.#files.delete(fileOf(uid));
  }
}

function fileOf(uid: string): string {
  return `${uid.replace(/[^A-Za-z0-9-]/g, '_')}.log`;
}
