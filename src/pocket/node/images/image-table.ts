import { imageName, lastPart } from './image-name.ts';

/** What a container of an image is when its pod does not say otherwise. */
export interface Image {
  /** Where its files come from: the machine itself, or a folder of it. */
  base: { kind: 'machine' } | { kind: 'folder'; path: string };
  env: Readonly<Record<string, string>>;
  /** What runs where a pod names no command; its arguments come behind the entrypoint. */
  entrypoint: readonly string[];
  command: readonly string[];
  workingDir: string;
  identity: { uid: number; gid: number };
  /** Files and folders of the machine that it has besides, read-only. */
  binds: readonly { source: string; target: string }[];
  links: readonly (readonly [path: string, target: string])[];
  /** Folders that everybody may write to. */
  folders: readonly string[];
}

/** A row of the table: images whose name fits the pattern are run as this one. */
export interface ImageRow {
  /** `*` stands for anything. With a slash it is about the whole name, without one about its last part. */
  pattern: string;
  image: Image;
}

export type FoundImage =
  { kind: 'image'; image: Image } | { kind: 'invalid'; problem: string } | { kind: 'unknown'; reason: string };

/** Which image a container gets. The first row that fits counts. */
export function findImage(rows: readonly ImageRow[], wanted: string): FoundImage {
  const parsed = imageName(wanted);
  if ('problem' in parsed) return { kind: 'invalid', problem: parsed.problem };
  const { name } = parsed;
  const row = rows.find(({ pattern }) => fits(pattern, pattern.includes('/') ? name : lastPart(name)));
  if (row !== undefined) return { kind: 'image', image: row.image };
  return { kind: 'unknown', reason: `image "${wanted}" is none that this machine can run with its own programs` };
}

function fits(pattern: string, name: string): boolean {
  // Each piece where it first is behind the one before: what stars stand for needs no second try.
  const pieces = pattern.split('*');
  const [first = ''] = pieces;
  if (pieces.length === 1) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1) ?? '';
  return name.length >= at + last.length && name.endsWith(last);
}
