import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AppError } from '../../base/index.ts';
import { within } from './deadline.ts';
import { shown } from './shown.ts';

/** What the administrator allows a location's settings to use on the server's machine. */
export interface CredentialRules {
  /** The only folder from which files named by a location are read. Without it, none are. */
  root?: string | undefined;
  /** Headway's own state: nothing in it is read for a location, wherever the root is. */
  state?: string | undefined;
  plugins?: readonly CredentialPlugin[] | undefined;
}

/**
 * Ways to get keys that do more than read them: run a program named in a file below the root, or ask AWS for the keys
 * of a role.
 */
export const CREDENTIAL_PLUGINS = ['process', 'role'] as const;
export type CredentialPlugin = (typeof CREDENTIAL_PLUGINS)[number];

const READ_MS = 10_000;

/**
 * Reads a file that a location names. Everything wrong with it has the same message; otherwise anyone who may create a
 * location could find out which other files exist on this machine.
 */
export async function readBelowRoot(
  file: { path: string; setting: string; maxBytes: number },
  rules: CredentialRules,
): Promise<Buffer> {
  const { path, setting, maxBytes } = file;
  const { root } = rules;
  const what = `read ${setting} ${shown(path)}`;
  if (root === undefined) {
    throw new AppError(
      'invalidConfig',
      `${what}: the server reads files that a location names only when it is started with --credentials-root`,
    );
  }
  const content = await within({ limitMs: READ_MS, what }, async () => {
    try {
      return await read(await realpath(resolve(root, path)), { ...rules, root }, maxBytes);
    } catch (error) {
      // The system's error text reveals more than the one message may.
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  });
  if (content !== undefined) return content;
  const expected = `a file below the folder of --credentials-root that the server can read, of at most ${maxBytes} bytes`;
  throw new AppError('invalidConfig', `${what}: expected ${expected}`);
}

/** `path` is fully resolved and contains no links. */
async function read(path: string, rules: CredentialRules & { root: string }, maxBytes: number) {
  if (!isBelow(path, await realpath(rules.root))) return undefined;
  if (rules.state !== undefined && isBelow(path, await realpath(rules.state))) return undefined;
  // So that opening a pipe does not wait for its other end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    // One byte more, so that a longer file is detected without reading all of it.
    const buffer = Buffer.alloc(maxBytes + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, 0);
    return bytesRead > maxBytes ? undefined : buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
