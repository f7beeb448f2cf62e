import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log, LogFields } from '../../../base/index.ts';
import { EndedLogs } from './ended-logs.ts';
import { OperationLog } from './operation-log.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const ENDING = '.log';
/** From the end in status to when the log is put away: a moment. */
const PUT_AWAY_MS = 2000;

/** What becomes of the file: it stays for the next attempt, goes, or the end of it stays for whoever asks later. */
export type AfterClose = 'keep' | 'remove' | 'keepEnd';

/** The logs of the operations that run in this process, by uid. */
export class OperationLogs {
  readonly #directory: string;
  readonly #deps: { clock: Clock; log: Log };
  readonly #open = new Map<string, OperationLog>();
  /** Fulfilled when what is to be kept is kept. */
  readonly #closed = new Map<string, PromiseWithResolvers<void>>();
  /** Added before the files are created. */
  readonly #files = new Set<string>();
  readonly #ended: EndedLogs;

  constructor(directory: string, deps: { clock: Clock; log: Log }) {
    this.#directory = directory;
    this.#deps = deps;
    this.#ended = new EndedLogs(directory, deps.log);
  }

  async open(uid: string, fields: LogFields): Promise<OperationLog> {
    this.#files.add(fileOf(uid));
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const { clock, log } = this.#deps;
    const path = join(this.#directory, fileOf(uid));
    const opened = await OperationLog.open({ path, clock, process: log, maxBytes: MAX_BYTES }, fields);
    this.#open.set(uid, opened);
    this.#closed.set(uid, Promise.withResolvers());
    return opened;
  }

  /** A process killed after an operation's end leaves its log file here, and nobody needs it any more. */
  async removeAllBut(uids: Iterable<string>, ended: Iterable<string> = []): Promise<void> {
    const kept = new Set([...uids].map(fileOf));
    for (const file of await readdir(this.#directory).catch(() => [] as string[])) {
      if (!file.endsWith(ENDING) || kept.has(file) || this.#files.has(file)) continue;
      await rm(join(this.#directory, file), { force: true });
    }
    await this.#ended.removeAllBut(ended);
  }

  /** Undefined when no such operation runs here; its log may be in the store. */
  tail(uid: string, signal: AbortSignal): AsyncIterable<Uint8Array> | undefined {
    return this.#open.get(uid)?.tail(signal);
  }

  /** The last lines of one that has ended, where they were kept. Status tells the end before the log is put away. */
  async endOf(uid: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const closed = this.#closed.get(uid)?.promise;
    if (closed !== undefined) {
      const enough = new AbortController();
      const late = this.#deps.clock.sleep(PUT_AWAY_MS, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
      await Promise.race([closed, late]);
      enough.abort();
    }
    return await this.#ended.read(uid);
  }

  async close(uid: string, after: AfterClose): Promise<void> {
    const log = this.#open.get(uid);
    this.#open.delete(uid);
    try {
      await log?.close({ keep: after !== 'remove' });
      const path = join(this.#directory, fileOf(uid));
      if (after === 'keepEnd') {
        await this.#ended.keep(uid, path);
        await rm(path, { force: true });
      }
      this.#files.delete(fileOf(uid));
    } finally {
      this.#closed.get(uid)?.resolve();
      this.#closed.delete(uid);
    }
  }

  /** For an operation whose object is gone. */
  async forget(uid: string): Promise<void> {
    await this.#ended.remove(uid);
  }
}

function fileOf(uid: string): string {
  return `${uid.replace(/[^A-Za-z0-9-]/g, '_')}${ENDING}`;
}
