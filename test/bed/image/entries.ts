import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** One thing in an image; all belong to root and are as old as the epoch, so that equal contents give equal bytes. */
export type Entry =
  | { path: string; kind: 'folder'; mode: number }
  | { path: string; kind: 'link'; target: string }
  | { path: string; kind: 'file'; mode: number; content: { text: string } | { source: string } };

export const folder = (path: string, mode = 0o755): Entry => ({ path, kind: 'folder', mode });
export const link = (path: string, target: string): Entry => ({ path, kind: 'link', target });
export const text = (path: string, content: string): Entry => {
  return { path, kind: 'file', mode: 0o644, content: { text: content } };
};
export const file = (path: string, source: string): Entry => {
  // Whether a program can be run counts, not what the umask of this machine made of the rest.
  const mode = (lstatSync(source).mode & 0o100) === 0 ? 0o644 : 0o755;
  return { path, kind: 'file', mode, content: { source } };
};

/** Everything below a folder of this machine, put below `path` in the image. Devices and sockets are none of it. */
export function tree(path: string, source: string, keep: (path: string) => boolean = () => true): Entry[] {
  const names = readdirSync(source).filter((name) => keep(join(source, name)));
  return names.flatMap((name) => {
    const from = join(source, name);
    const to = path === '' ? name : `${path}/${name}`;
    const facts = lstatSync(from);
    if (facts.isSymbolicLink()) return [link(to, readlinkSync(from))];
    if (facts.isDirectory()) return [folder(to), ...tree(to, from, keep)];
    return facts.isFile() ? [file(to, from)] : [];
  });
}

/** In the order of their names, with every folder that something is in, and nothing twice: the last one wins. */
export function complete(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    const parts = entry.path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const above = parts.slice(0, depth).join('/');
      if (!all.has(above)) all.set(above, folder(above));
    }
    all.set(entry.path, entry);
  }
  return [...all.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
