import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = join(import.meta.dirname, 'pods-server.ts');
/** Somebody who is not root and has no home. */
const NOBODY = 65_534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];

export interface PodsProcess extends AsyncDisposable {
  child: ChildProcess;
  dir: string;
  endpoint: { server: string; caPem: string; token: string };
  /** How its pods are run. */
  pods: string;
}

interface Options {
  asNobody?: boolean;
  isPlain?: boolean;
  /** Where another one was before. */
  dir?: string;
  /** Words before those of the server, which change the machine as it sees it. They get its folder as `$0`. */
  around?: readonly string[];
}

/** A small disk that only the server sees. Needs root. */
export const smallDisk = (mebibytes: number): string[] =>
  inShell(['unshare', '--mount', '--'], `mount -t tmpfs -o size=${mebibytes}m tmpfs "$0"`);

/** A disk that cannot hold the layers of another overlay, as inside of a container. Needs root. */
export const OVERLAID_DISK = inShell(
  ['unshare', '--mount', '--'],
  'mount -t tmpfs tmpfs /mnt && mkdir /mnt/l /mnt/u /mnt/w && mount -t overlay -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w overlay "$0"',
);

/** A machine on which nobody may have user namespaces. */
export const NO_USER_NAMESPACES = inShell(
  ['unshare', '--user', '--map-root-user', '--'],
  'echo 0 >/proc/sys/user/max_user_namespaces',
);

function inShell(words: readonly string[], script: string): string[] {
  return [...words, 'sh', '-c', `${script} && exec "$@"`];
}

/** Starts a pocket cluster with processes in a process of its own. */
export async function startPods(options: Options = {}): Promise<PodsProcess> {
  const { asNobody = false, isPlain = false, dir: given, around = [] } = options;
  const dir = given ?? mkdtempSync(join(tmpdir(), 'headway-pods-'));
  if (asNobody) chownSync(dir, NOBODY, NOBODY);
  const words = [...around, ...(around.length > 0 ? [dir] : []), process.execPath, SERVER, dir];
  if (isPlain) words.push('--plain');
  const [program = '', ...args] = asNobody ? [...AS_NOBODY, ...words] : words;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: tmpdir() });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(30_000),
  })) as [string];
  const { url, token, ca, pods } = JSON.parse(line) as Record<'url' | 'token' | 'ca' | 'pods', string>;
  return {
    child,
    dir,
    endpoint: { server: url, caPem: ca, token },
    pods,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (given === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Why pods of an ordinary user cannot be tried; undefined when they can. */
export function whyNoOrdinaryUser(): string | undefined {
  if (process.platform !== 'linux') return 'processes for pods need Linux';
  if (process.getuid?.() !== 0) return undefined;
  const tried = [...AS_NOBODY, 'sh', '-c', `test -r ${SERVER} && unshare -Ur true`];
  const { status, error } = spawnSync('env', tried);
  if (status === 0) return undefined;
  return error === undefined ? 'user nobody cannot read this checkout or have user namespaces' : error.message;
}
