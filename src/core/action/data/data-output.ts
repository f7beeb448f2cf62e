import { cleanText, isObject, parseJson, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import {
  advance,
  parseKopiaProblem,
  parseKopiaRestore,
  parseKopiaSnapshot,
  parseResticLine,
  plainLine,
  type CopyProgress,
} from '../../volumes/index.ts';

/** A backup as its program describes it at the end. */
export interface TakenBackup {
  id: string;
  files: number;
  bytes: number;
  /** What the store got. */
  storedBytes: number | undefined;
}

const OWN = /^#headway: (\w+) ?(.*)$/s;
const MAX_LINES = 10;
const MAX_LINE = 1024;
/** restic's own words for the sizes that it freed, of old and new versions. */
const FREED = /(?:this frees|total prune:\s+\d+ blobs \/) (\d+(?:\.\d+)?) ([KMGT]i)?B/;
const POWERS = ['', 'Ki', 'Mi', 'Gi', 'Ti'];

/** Reads what a program of a data function prints, line by line; see the library for its own words. */
export class DataOutput {
  readonly #words = new Map<string, string>();
  readonly #tail: string[] = [];
  #progress: CopyProgress | undefined;
  #backup: TakenBackup | undefined;
  #measured: { bytes: number; files: number } | undefined;
  #freed = 0;
  #vanished = 0;
  #unread = 0;
  /** The size of the backup that is restored. */
  #certainTotal: number | undefined;

  /** True for a line that tells how far it is and nothing else: there is one a second. */
  push(raw: string): boolean {
    const line = plainLine(raw);
    const [, word, rest = ''] = OWN.exec(line) ?? [];
    if (word !== undefined) {
      this.#hear(word, rest);
      return true;
    }
    const isProgress = this.#readKopia(line) || this.#readRestic(line);
    if (!isProgress && line.trim() !== '') this.#keep(line);
    return isProgress;
  }

  /** Undefined until the program has told how much it has done. */
  get progress(): CopyProgress | undefined {
    return this.#progress;
  }

  get backup(): TakenBackup | undefined {
    const stored = this.#words.get('stored');
    if (this.#backup === undefined || stored === undefined) return this.#backup;
    return { ...this.#backup, storedBytes: countOf(stored) };
  }

  /** It has ended well. kopia rounds what it tells to people, so that the last of it is `1 GB` of 1.02. */
  complete(): void {
    const total = this.#certainTotal;
    if (total !== undefined) this.#advance({ bytesDone: total, totalBytes: total });
  }

  get measured(): { bytes: number; files: number } | undefined {
    return this.#measured;
  }

  get freedBytes(): number {
    return this.#freed;
  }

  /** `there`, `missing` or `locked`. */
  get state(): string | undefined {
    return this.#words.get('state');
  }

  /** Files that were deleted while kopia read them; they are not in the backup, and nothing else is amiss. */
  get hasOnlyVanished(): boolean {
    return this.#vanished > 0 && this.#unread === 0;
  }

  /** Why it failed: its own sentence, and the last lines of kopia or restic. */
  problem(exitCode: number): string {
    const own = this.#words.get('error') ?? `exit code ${String(exitCode)}`;
    return [own, ...this.#tail].join('\n');
  }

  #hear(word: string, rest: string): void {
    if (word === 'total') {
      this.#certainTotal = countOf(rest);
      this.#advance({ bytesDone: 0, totalBytes: this.#certainTotal });
    } else if (word === 'freed') this.#freed += countOf(rest);
    else if (word === 'measured') {
      const [bytes = '', files = ''] = rest.split(' ');
      this.#measured = { bytes: countOf(bytes), files: countOf(files) };
    } else this.#words.set(word, cleanText(rest, MAX_LINE));
  }

  #readKopia(line: string): boolean {
    const snapshot = parseKopiaSnapshot(line);
    if (snapshot !== undefined) {
      this.#advance(snapshot);
      return true;
    }
    const restore = parseKopiaRestore(line);
    if (restore !== undefined) {
      // Its own total is what it has found so far; that of the backup is certain.
      const total = this.#certainTotal;
      const bytesDone = Math.min(restore.bytesDone, total ?? restore.bytesDone);
      this.#advance({ ...restore, bytesDone, ...(total !== undefined && { totalBytes: total }) });
      return true;
    }
    const problem = parseKopiaProblem(line);
    if (problem?.hasVanished === true) this.#vanished += 1;
    else if (problem !== undefined) this.#unread += 1;
    return false;
  }

  #readRestic(line: string): boolean {
    const freed = FREED.exec(line);
    if (freed !== null) this.#freed += Math.round(Number(freed[1]) * 1024 ** POWERS.indexOf(freed[2] ?? ''));
    const read = parseResticLine(line);
    if (read?.kind === 'progress') {
      this.#advance(read.progress);
      return true;
    }
    if (read?.kind === 'problem') {
      this.#keep(read.text);
      return true;
    }
    return this.#readResult(line);
  }

  /** The last line: kopia's manifest, or restic's summary or statistics. */
  #readResult(line: string): boolean {
    const json = objectOf(line);
    if (json === undefined) return false;
    const stats = numberAt(json, 'total_size');
    if (stats !== undefined) {
      const files = numberAt(json, 'total_file_count') ?? numberAt(json, 'total_blob_count') ?? 0;
      this.#measured = { bytes: stats, files };
      return true;
    }
    const backup = backupOf(json);
    if (backup === undefined) {
      const restored = numberAt(json, 'bytes_restored');
      if (restored !== undefined) this.#advance({ bytesDone: restored, totalBytes: restored });
      return restored !== undefined;
    }
    this.#backup = backup;
    this.#advance({ bytesDone: backup.bytes, totalBytes: backup.bytes });
    return true;
  }

  #advance(next: CopyProgress): void {
    this.#progress = advance(this.#progress, next);
  }

  #keep(line: string): void {
    this.#tail.push(cleanText(line, MAX_LINE));
    if (this.#tail.length > MAX_LINES) this.#tail.shift();
  }
}

function backupOf(json: JsonObject): TakenBackup | undefined {
  const snapshot = textAt(json, 'snapshot_id');
  if (snapshot !== undefined) {
    return {
      // As long as restic says it to people, and as upstream keeps it.
      id: snapshot.slice(0, 8),
      files: numberAt(json, 'total_files_processed') ?? 0,
      bytes: numberAt(json, 'total_bytes_processed') ?? 0,
      storedBytes: numberAt(json, 'data_added_packed') ?? numberAt(json, 'data_added'),
    };
  }
  const id = textAt(json, 'id');
  const summary = valueAt(json, 'rootEntry', 'summ');
  if (id === undefined || !isObject(summary) || textAt(json, 'incomplete') !== undefined) return undefined;
  return {
    id,
    files: numberAt(summary, 'files') ?? 0,
    bytes: numberAt(summary, 'size') ?? 0,
    storedBytes: undefined,
  };
}

function objectOf(line: string): JsonObject | undefined {
  if (!line.startsWith('{') || line.length > 64 * 1024) return undefined;
  try {
    const json = parseJson(line);
    return isObject(json) ? json : undefined;
  } catch {
    // Half a line, or something that only begins like one.
    return undefined;
  }
}

function numberAt(json: JsonObject, name: string): number | undefined {
  const value = json[name];
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function countOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
