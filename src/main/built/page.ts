import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';
import { sourceHash } from './source-hash.ts';

/** What the page is made of; anything else may change without a new build. */
const SOURCES = ['web', 'src/base', 'src/api', 'src/core/progress', 'src/core/operations', 'package-lock.json'];

/** Where the page of these sources is, once it is built; what is shipped has no sources of it and is built already. */
export function pagePath(root: string): string {
  if (!existsSync(join(root, 'web/index.html'))) return join(root, 'dist/web');
  return join(root, '.cache/page', sourceHash(root, SOURCES));
}

/** The directory of the built page. */
export async function builtPage({ root, signal }: { root: string; signal: AbortSignal }): Promise<string> {
  const wanted = pagePath(root);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const command = (outDir: string): string[] => [vite, 'build', join(root, 'web'), ...options(outDir)];
  await build({ what: 'the page', wanted, file: 'index.html', command, root, signal });
  return wanted;
}

function options(outDir: string): string[] {
  return ['--outDir', outDir, '--logLevel', 'warn'];
}
