import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from './cache.ts';
import { whyNoNodes } from './node-needs.ts';
import { MARK } from './processes.ts';
import { type PartName, partNamed } from './parts.ts';
import { homeDirectory } from './state.ts';
import { claim, endBed } from './tenure.ts';
import { type BedContents, missingParts, startAll, type Started } from './up.ts';

const GUARD = fileURLToPath(new URL('./guard.ts', import.meta.url));

export interface BedOptions extends BedContents {
  /** One living bed per name; a fresh name unless given. */
  name?: string;
  /** Let the bed outlive this process; then only `down` or the next `up` ends it. */
  keep?: boolean;
  signal?: AbortSignal;
}

export interface Bed extends Started, AsyncDisposable {
  name: string;
  /** Everything the bed wrote, its logs in `logs/`. */
  directory: string;
  /** The path of one of the bed's programs. */
  bin(part: PartName): string;
}

/** Starts a bed and hands out what is in it; dispose of it and nothing is left, neither processes nor files. */
export async function bed(options: BedOptions = {}): Promise<Bed> {
  const missing = missingParts(options);
  if (missing.length > 0) {
    throw new Error(`start a bed: ${missing.join(', ')} not built, run: npm run bed -- build`);
  }
  const noNodes = options.nodes ? whyNoNodes() : undefined;
  if (noNodes !== undefined) throw new Error(`start a bed with nodes: ${noNodes}`);
  const home = homeDirectory();
  const name = options.name ?? `test-${process.pid}-${randomBytes(4).toString('hex')}`;
  const directory = await claim(home, name, options.keep ?? false);
  if (directory === undefined) throw new Error(`start bed ${name}: it is up already`);
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  const dispose = async (reason: unknown) => {
    ended.abort(reason);
    await endBed(home, name);
  };
  try {
    if (!options.keep) startGuard(home, name);
    const started = await startAll({ directory, signal }, options);
    return {
      ...started,
      name,
      directory,
      bin: (part) => programPath(partNamed(part)),
      [Symbol.asyncDispose]: async () => {
        await dispose(new Error(`bed ${name} was disposed of`));
      },
    };
  } catch (error) {
    await dispose(error);
    throw error;
  }
}

function startGuard(home: string, name: string): void {
  const guard = spawn(process.execPath, [GUARD, home, name], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, [MARK]: join(home, name) },
  });
  // Without a guard the bed is still cleaned at its disposal, or by the next bed that is started.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  // A pipe to a child is a socket, which must not keep this process alive either.
  if (guard.stdin instanceof Socket) guard.stdin.unref();
}
