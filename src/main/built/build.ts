import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { putInPlace } from './put-in-place.ts';

export interface Build {
  /** For messages. */
  what: string;
  /** The directory that it makes; its name changes with the sources. */
  wanted: string;
  /** Without this file it is not there. */
  file: string;
  /** Whether somebody waits for nothing else meanwhile. */
  isUrgent?: boolean;
  /** A program of Node and its arguments. */
  command: (outDir: string) => string[];
  /** The project's root. */
  root: string;
  signal: AbortSignal;
}

const BUILD_MS = 120_000;
const LAST_LINES = 15;
const KEPT_MS = 3 * 24 * 3600_000;

/**
 * Builds, unless these very sources were built before. In a process of its own, because a build takes seconds of a
 * processor that the operations need, and memory.
 */
export async function build(wish: Build): Promise<void> {
  const { wanted, file, signal } = wish;
  if (existsSync(join(wanted, file))) return;
  const cache = dirname(wanted);
  mkdirSync(cache, { recursive: true });
  const outDir = `${wanted}.${randomUUID()}`;
  try {
    await run(wish, outDir, AbortSignal.any([signal, AbortSignal.timeout(BUILD_MS)]));
    putInPlace(outDir, wanted, file);
    removeOld(cache);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** A server that was started from older sources still uses its own build; after some days nobody does. */
function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    // Another build may have been put in place, or removed, meanwhile.
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts !== undefined && Date.now() - facts.mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function run({ what, root, command, isUrgent }: Build, outDir: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, command(outDir), {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  // What people wait for comes first.
  if (child.pid !== undefined && isUrgent !== true) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-8000);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const lines = said.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  throw new AppError('bug', `build ${what}: it ended with ${String(code)}\n${lines}`);
}
