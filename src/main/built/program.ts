import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sourceHash } from './source-hash.ts';

const MAIN = 'headway.js';
/** What changes the bundle when it changes. */
const SOURCES = ['src', 'package.json', 'package-lock.json', 'scripts/bundle.ts', 'scripts/bundle'];

/** Where the bundle of these sources is, once it is built; what is shipped cannot be bundled and has it already. */
export function programPath(root: string): string {
  if (!existsSync(bundler(root))) return join(root, 'dist/program');
  return join(root, '.cache/program', sourceHash(root, SOURCES));
}

/**
 * The directory of the program as a bundle: 1 200 modules take 30 MB more than the few files into which they are
 * bundled, for as long as a server runs (docs/adr/0026).
 */
export async function builtProgram(root: string, { signal }: { signal: AbortSignal }): Promise<string> {
  const wanted = programPath(root);
  const command = (outDir: string): string[] => [join(root, 'scripts/bundle.ts'), outDir];
  // A start that finds it built loads nothing else, because that would stay in memory beside the bundle.
  const { build } = await import('./build.ts');
  await build({ what: 'the program', wanted, file: MAIN, isUrgent: true, command, root, signal });
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
  return join(root, 'node_modules/rolldown/package.json');
}
