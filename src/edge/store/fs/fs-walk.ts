import { lstat, opendir } from 'node:fs/promises';
import type { BigIntStats, Dirent } from 'node:fs';
import type { ListBudget } from '../list-budget.ts';
import type { ObjectFacts } from '../port.ts';
import { systemCode } from './fs-errors.ts';
import { fileProblem, type FsTree } from './fs-tree.ts';

/** One system call, or a few, with a deadline and the caller's retries. The signal says that nobody waits any more. */
export type Step = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

export interface Walk {
  tree: FsTree;
  /** Where the keys begin. */
  root: readonly string[];
  /** For one step. */
  limitMs: number;
  step: Step;
  /** A budget for one directory, or for one listing. */
  newBudget: () => ListBudget;
}

export function objectFacts(key: string, facts: BigIntStats): ObjectFacts {
  return {
    key,
    size: Number(facts.size),
    modified: Number(facts.mtimeMs),
    version: `${facts.ino}-${facts.mtimeNs}-${facts.size}`,
  };
}

/** Every file whose key begins with the prefix, in S3's order: by the bytes of the key. */
export async function* walkFiles(walk: Walk, prefix: string): AsyncGenerator<ObjectFacts> {
  const slash = prefix.lastIndexOf('/');
  const folder = prefix.slice(0, slash + 1);
  const budget = walk.newBudget();
  for await (const facts of filesBelow(walk, folder, prefix)) {
    budget.entry(facts.key);
    yield facts;
  }
}

async function* filesBelow(walk: Walk, folder: string, prefix: string): AsyncGenerator<ObjectFacts> {
  for (const entry of await entriesOf(walk, folder)) {
    const key = folder + entry.name;
    if (entry.isDirectory()) {
      const below = `${key}/`;
      if (below.startsWith(prefix) || prefix.startsWith(below)) yield* filesBelow(walk, below, prefix);
      continue;
    }
    if (!key.startsWith(prefix)) continue;
    const facts = await walk.step(() => fileFacts(walk.tree.at([...walk.root, ...key.split('/')])));
    if (facts !== undefined) yield objectFacts(key, facts);
  }
}

/** The folders directly below `prefix` that contain an object at any depth; an empty directory is not a prefix. */
export async function* walkPrefixes(walk: Walk, prefix: string): AsyncGenerator<string> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  for (const entry of await entriesOf(walk, folder)) {
    const below = `${folder}${entry.name}/`;
    if (!entry.isDirectory() || !below.startsWith(prefix)) continue;
    const first = await filesBelow(walk, below, below).next();
    if (first.done !== true) yield below;
  }
}

/** Files and directories that can be keys, sorted as keys; links and everything else are ignored. */
async function entriesOf(walk: Walk, folder: string): Promise<Dirent[]> {
  const parts = folder === '' ? [] : folder.slice(0, -1).split('/');
  const entries = await walk.step(async () => {
    if (!(await walk.tree.isDirectory([...walk.root, ...parts]))) return [];
    try {
      return await read(walk.tree.at([...walk.root, ...parts]), walk.newBudget());
    } catch (error) {
      // It was removed after it was checked, together with its last object.
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  });
  return entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && fileProblem(folder + entry.name) === undefined)
    .map((entry) => ({ entry, order: Buffer.from(entry.isDirectory() ? `${entry.name}/` : entry.name) }))
    .sort((a, b) => Buffer.compare(a.order, b.order))
    .map(({ entry }) => entry);
}

async function read(directory: string, budget: ListBudget): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(directory)) {
    budget.entry(entry.name);
    entries.push(entry);
  }
  return entries;
}

async function fileFacts(path: string): Promise<BigIntStats | undefined> {
  try {
    const facts = await lstat(path, { bigint: true });
    return facts.isFile() ? facts : undefined;
  } catch (error) {
    // Deleted since it was listed.
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
