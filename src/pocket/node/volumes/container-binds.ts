import { lstatSync, mkdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from '../../controllers/kinds/index.ts';
import { expand } from '../env/index.ts';
import { resolveInRoot, type Bind } from '../root/index.ts';

export type Binds = { kind: 'binds'; binds: Bind[] } | { kind: 'problem'; message: string };

/** Where the volumes of a pod are in one of its containers. */
export function containerBinds(
  container: Container,
  sources: ReadonlyMap<string, { path: string; isReadOnly: boolean }>,
  env: Readonly<Record<string, string>>,
): Binds {
  const binds: Bind[] = [];
  for (const { name, mountPath, subPath = '', subPathExpr = '', readOnly = false } of container.volumeMounts ?? []) {
    const source = sources.get(name);
    if (source === undefined) return { kind: 'problem', message: `volume "${name}" is not there` };
    const part = subPathExpr === '' ? subPath : expand(subPathExpr, (variable) => env[variable]);
    const path = partOf(source.path, part);
    if (path === undefined)
      return {
        kind: 'problem',
        message: `failed to prepare subPath for volumeMount "${name}" of container "${container.name}"`,
      };
    binds.push({ source: path, target: mountPath, isReadOnly: readOnly || source.isReadOnly });
  }
  return { kind: 'binds', binds };
}

/** A file or folder inside a volume; a folder is made where there is nothing. Links lead nowhere but into the volume. */
function partOf(volume: string, part: string): string | undefined {
  if (part === '') return volume;
  if (part.startsWith('/') || part.split('/').includes('..')) return undefined;
  const inside = resolveInRoot(part, (path) => {
    const facts = lstatSync(join(volume, path), { throwIfNoEntry: false });
    return facts?.isSymbolicLink() ? readlinkSync(join(volume, path)) : undefined;
  });
  if (inside === undefined) return undefined;
  const path = join(volume, inside);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { recursive: true, mode: 0o777 });
  return path;
}
