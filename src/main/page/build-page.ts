import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { putInPlace } from './put-in-place.ts';
import { pageHash } from './source-hash.ts';

export interface PageOptions {
  /** The project's root. */
  root: string;
  signal: AbortSignal;
}

const BUILD_MS = 120_000;
const LAST_LINES = 15;
const KEPT_MS = 3 * 24 * 3600_000;

/** Where the page of these sources is, once it is built; what is shipped has no sources and is built already. */
export function pagePath(root: string): string {
  if (!existsSync(join(root, 'web/index.html'))) return join(root, 'dist/web');
  return join(root, '.cache/page', pageHash(root));
}

/**
 * The directory of the built page, built now unless these very sources were built before. In a process of its own,
 * because a build takes seconds of a processor that the operations need.
 */
export async function builtPage({ root, signal }: PageOptions): Promise<string> {
  const wanted = pagePath(root);
  if (existsSync(join(wanted, 'index.html'))) return wanted;
  const cache = dirname(wanted);
  mkdirSync(cache, { recursive: true });
  const outDir = `${wanted}.${randomUUID()}`;
  try {
    await build(root, outDir, AbortSignal.any([signal, AbortSignal.timeout(BUILD_MS)]));
    putInPlace(outDir, wanted);
    removeOld(cache);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
  return wanted;
}

/** A server that was started from older sources still serves its own page; after some days nobody does. */
function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    // Another build may have been put in place, or removed, meanwhile.
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts !== undefined && Date.now() - facts.mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function build(root: string, outDir: string, signal: AbortSignal): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', join(root, 'web'), '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  // What people wait for comes first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-8000);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const lines = said.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  throw new AppError('bug', `build the page: vite ended with ${String(code)}\n${lines}`);
}
