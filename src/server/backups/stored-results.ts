import { AppError, formatBytes, isAppError, isObject, objectAt, type Json } from '../../base/index.ts';
import { ProblemGroups, type ProblemGroup, type ProblemMessage, type TreeEntry } from '../../core/operations/index.ts';
import { inTurns } from '../../edge/archive/index.ts';
import { getJson, type StoredJson } from '../../edge/store/index.ts';
import type { OpenStore } from '../ports.ts';
import { keysOf } from './stored-files.ts';
import { waitFor } from './wait-for.ts';

interface Kept {
  groups: Promise<ProblemGroup[]>;
  /** Of its texts. */
  size: number;
}

const LIMITS = { isGzipped: true, maxBytes: 8 * 1024 ** 2, maxValues: 200_000, mayCut: true };
const READ_MS = 30_000;
const MAX_READING = 4;
const MAX_KEPT_SIZE = 16 * 1024 ** 2;
const LEVELS = [
  ['errors', 'error'],
  ['warnings', 'warning'],
] as const;

/** The errors and warnings that operations wrote down, read once and kept: a page is opened again and again. */
export class StoredResults {
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();
  #reading = 0;

  /** Empty when it wrote nothing. One who leaves does not end the reading, and the next look has its answer at once. */
  async problemsOf(opened: OpenStore, entry: TreeEntry, signal: AbortSignal): Promise<ProblemGroup[]> {
    const { store } = opened;
    const key = keysOf(entry).results;
    let version: string;
    try {
      version = (await store.head(key, { signal })).version;
    } catch (error) {
      if (isAppError(error, 'notFound')) return [];
      throw error;
    }
    const id = `${store.where} ${key} ${version}`;
    const kept = this.#kept.get(id) ?? this.#begin(id, opened, key);
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    return await waitFor(kept.groups, signal);
  }

  #begin(id: string, opened: OpenStore, key: string): Kept {
    if (this.#reading >= MAX_READING) {
      throw new AppError('throttled', `read ${key}: too many results are being read`, { retry: { afterMs: 2000 } });
    }
    this.#reading += 1;
    const kept: Kept = { groups: read(opened.share(), key), size: 0 };
    kept.groups
      .then(
        (groups) => {
          kept.size = sizeOf(groups);
          this.#makeRoom();
        },
        // Whoever looks hears of it; the next look tries again.
        () => this.#kept.delete(id),
      )
      .finally(() => {
        this.#reading -= 1;
      });
    return kept;
  }

  #makeRoom(): void {
    let size = 0;
    for (const kept of this.#kept.values()) size += kept.size;
    for (const [id, kept] of this.#kept) {
      if (size <= MAX_KEPT_SIZE) return;
      this.#kept.delete(id);
      size -= kept.size;
    }
  }
}

async function read(opened: OpenStore, key: string): Promise<ProblemGroup[]> {
  using inUse = opened;
  let results: StoredJson | undefined;
  try {
    results = await getJson(inUse.store, key, { ...LIMITS, signal: AbortSignal.timeout(READ_MS) });
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    return [warning(`the errors and warnings cannot be read: ${error.message}`)];
  }
  const groups = new ProblemGroups();
  let count = 0;
  for await (const message of inTurns(messagesOf(results?.value))) {
    groups.add(message);
    count += 1;
  }
  if (results?.isCut !== true) return groups.list();
  const text =
    `the results are cut: the file has more than ${formatBytes(LIMITS.maxBytes)} or ${LIMITS.maxValues} values, ` +
    `and only its first ${count} messages are shown`;
  return [warning(text), ...groups.list()];
}

function warning(text: string): ProblemGroup {
  return { level: 'warning', count: 1, text, examples: [text] };
}

/** `velero`, `cluster` and each of `namespaces` are lists of messages. */
function* messagesOf(results: Json | undefined): Generator<ProblemMessage> {
  for (const [field, level] of LEVELS) {
    const { velero, cluster, namespaces } = objectAt(results, field);
    for (const list of [velero, cluster, ...(isObject(namespaces) ? Object.values(namespaces) : [])]) {
      for (const text of Array.isArray(list) ? list : []) if (typeof text === 'string') yield { level, text };
    }
  }
}

function sizeOf(groups: readonly ProblemGroup[]): number {
  // Also one that holds nothing takes its place.
  const own = 1000;
  return groups.flatMap(({ examples }) => examples).reduce((sum, text) => sum + text.length, own);
}
