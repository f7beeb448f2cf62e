import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILD_FLAGS, isBuilt, linkerFlags, partDirectory, recipeDirectory } from './cache.ts';
import { withLock } from './lock.ts';
import type { Part } from './parts.ts';

export interface BuildOptions {
  cache: string;
  /** The Go command, `go` unless given. */
  go?: string;
  signal: AbortSignal;
  onWait?: (holderPid: string) => void;
}

const BUILD_TIMEOUT_MS = 45 * 60_000;

/** Builds one part into the cache, or finds it there. Two builders of the same part take turns. */
export async function buildPart(part: Part, options: BuildOptions): Promise<'built' | 'cached'> {
  if (isBuilt(part, options.cache)) return 'cached';
  const lock = {
    timeoutMs: BUILD_TIMEOUT_MS,
    signal: options.signal,
    ...(options.onWait && { onWait: options.onWait }),
  };
  return await withLock(`build ${partDirectory(part, options.cache)}`, lock, async () => {
    if (isBuilt(part, options.cache)) return 'cached';
    await buildLocked(part, options);
    return 'built';
  });
}

async function buildLocked(part: Part, options: BuildOptions): Promise<void> {
  const target = partDirectory(part, options.cache);
  const temporary = join(options.cache, `.building-${part.name}-${process.pid}`);
  await mkdir(options.cache, { recursive: true });
  await removeLeftovers(part, options.cache);
  try {
    await mkdir(join(temporary, 'bin'), { recursive: true });
    await goBuild(part, join(temporary, 'bin', part.name), options);
    await rename(temporary, target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** We hold the lock, so a half-built directory of this part belongs to a builder that was killed. */
async function removeLeftovers(part: Part, cache: string): Promise<void> {
  const leftover = new RegExp(`^\\.building-${part.name}-\\d+$`);
  for (const name of await readdir(cache)) {
    if (leftover.test(name)) await rm(join(cache, name), { recursive: true, force: true });
  }
}

async function goBuild(part: Part, output: string, options: BuildOptions): Promise<void> {
  options.signal.throwIfAborted();
  const args = ['build', ...BUILD_FLAGS, '-ldflags', linkerFlags(part), '-o', output, part.package];
  // Its own group, so that the compilers go with it when the build is given up.
  const go = spawn(options.go ?? 'go', args, {
    cwd: recipeDirectory(part),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const giveUp = () => {
    if (go.pid !== undefined && go.exitCode === null) process.kill(-go.pid, 'SIGKILL');
  };
  const limit = AbortSignal.any([options.signal, AbortSignal.timeout(BUILD_TIMEOUT_MS)]);
  limit.addEventListener('abort', giveUp, { once: true });
  let said = '';
  const hear = (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000));
  go.stdout.on('data', hear);
  go.stderr.on('data', hear);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      go.once('error', (cause) => {
        reject(new Error(`build ${part.name}: expected the go command, got ${cause.message}`, { cause }));
      });
      go.once('close', resolve);
    });
    limit.throwIfAborted();
    if (code !== 0) throw new Error(`build ${part.name} with go build: exit ${code ?? 'by signal'}\n${said.trim()}`);
  } finally {
    limit.removeEventListener('abort', giveUp);
  }
}
