import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Part } from './parts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const RECIPES = join(import.meta.dirname, 'recipes');
const DEBIAN = join(import.meta.dirname, 'debian');

/** Everything `go build` is told besides the package; part of the key, so changing it rebuilds. */
export const BUILD_FLAGS = ['-trimpath', '-buildvcs=false', '-mod=readonly'] as const;

export function cacheDirectory(env: Environment = process.env): string {
  if (env['HEADWAY_BED_CACHE']) return env['HEADWAY_BED_CACHE'];
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'headway', 'bed');
}

export function recipeDirectory(part: Part): string {
  return join(RECIPES, part.recipe);
}

export function linkerFlags(part: Part): string {
  return ['-s', '-w', ...Object.entries(part.variables).map(([name, value]) => `-X ${name}=${value}`)].join(' ');
}

/**
 * Changes with everything that decides what is built. The Go version is left out on purpose: a cache that was
 * filled elsewhere must stay usable on a machine without Go.
 */
export function partKey(part: Part, recipe: string = readRecipe(part)): string {
  const facts = [part.name, part.version, part.package, linkerFlags(part), ...BUILD_FLAGS];
  const input = JSON.stringify([...facts, process.platform, process.arch, recipe]);
  return createHash('sha256').update(input).digest('hex').slice(0, 12);
}

export function partDirectory(part: Part, cache: string = cacheDirectory()): string {
  return join(cache, `${part.name}-${part.version}-${partKey(part)}`);
}

/** Where the program is once it is built. */
export function programPath(part: Part, cache: string = cacheDirectory()): string {
  return join(partDirectory(part, cache), 'bin', part.name);
}

export function isBuilt(part: Part, cache: string = cacheDirectory()): boolean {
  return existsSync(programPath(part, cache));
}

export type DebianList = 'node' | 'image' | 'old-kubectl';

/** Where scripts/debian.sh unpacks the packages of a list in `debian/`; another list is another tree. */
export function debianTree(list: DebianList, cache: string = cacheDirectory()): string {
  const key = createHash('sha256')
    .update(readFileSync(join(DEBIAN, list)))
    .digest('hex')
    .slice(0, 12);
  return join(cache, `debian-${list}-${key}`);
}

export function oldKubectlPath(cache: string = cacheDirectory()): string {
  return join(debianTree('old-kubectl', cache), 'usr', 'bin', 'kubectl');
}

function readRecipe(part: Part): string {
  const folder = recipeDirectory(part);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:go|mod|sum)$/.test(name),
  );
  return files
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
