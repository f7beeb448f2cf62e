import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sourceHash } from './source-hash.ts';

const MAIN = 'headway.js';
/** The programs, and what runs in threads of their own. */
const ENTRIES = [
  'src/main/headway.ts',
  'src/main/kando.ts',
  'src/main/serve/watchdog-thread.ts',
  'src/control/operation/yaml/yaml-worker.ts',
  'src/edge/volumes/stream/estimate-worker.ts',
];

/**
 * One is started for every volume, so what it shares with the others stands in it again: it then loads only what it needs, in one
 * small file (docs/adr/0031).
 */
const MOVER = 'src/main/mover.ts';

/** Where the bundle of these sources is, once it is built; what is shipped cannot be bundled and has it already. */
export function programPath(root: string): string {
  if (!existsSync(bundler(root))) return join(root, 'dist/program');
  return join(root, '.cache/program', sourceHash(root, ['src', 'package-lock.json']));
}

/**
 * The directory of the program as a bundle: 1 200 modules take 30 MB more than the few files into which they are
 * bundled, for as long as a server runs (docs/adr/0026).
 */
export async function builtProgram(root: string, { signal }: { signal: AbortSignal }): Promise<string> {
  const wanted = programPath(root);
  const commands = (outDir: string): string[][] => [
    [bundler(root), ...ENTRIES, ...options(outDir)],
    [bundler(root), MOVER, '--minify', ...options(outDir)],
  ];
  // A start that finds it built loads nothing else, because that would stay in memory beside the bundle.
  const { build } = await import('./build.ts');
  await build({ what: 'the program', wanted, file: MAIN, isUrgent: true, commands, root, signal });
  return wanted;
}

/** The file to run for what runs for days: a bundle, or the sources where none is and none can be made. */
export async function programToRun(root: string, { say }: { say: (text: string) => void }): Promise<string> {
  const path = join(programPath(root), MAIN);
  if (existsSync(path)) return path;
  const sources = join(root, 'src/main/headway.ts');
  if (!existsSync(bundler(root))) return sources;
  say('these sources run for the first time and are bundled, which takes some seconds');
  try {
    return join(await builtProgram(root, { signal: new AbortController().signal }), MAIN);
  } catch (error) {
    if (!isRefused(error)) throw error;
    say(`the bundle cannot be stored (${error.message}), so the sources run and take 30 MB more`);
    return sources;
  }
}

/** The folder is somebody else's, or read-only. */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code));
}

function bundler(root: string): string {
  return join(root, 'node_modules/rolldown/bin/cli.mjs');
}

function options(outDir: string): string[] {
  return ['--dir', outDir, '--format', 'esm', '--platform', 'node', '--log-level', 'silent'];
}
