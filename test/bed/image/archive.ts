import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { complete, type Entry } from './entries.ts';

/** What a container gets unless its pod says otherwise. */
export interface Settings {
  User?: string;
  Env: string[];
  Cmd: string[];
  WorkingDir?: string;
}

/** An image under its names; several images may share layers. */
export interface Image {
  names: string[];
  settings: Settings;
  layers: readonly (readonly Entry[])[];
}

const EPOCH = new Date(0);

/** Changes with every byte of the images, and with nothing else. */
export function keyOf(images: readonly Image[]): string {
  const hash = createHash('sha256');
  const files = new Map<string, string>();
  const contentKey = (content: Extract<Entry, { kind: 'file' }>['content']) => {
    if ('text' in content) return content.text;
    const known = files.get(content.source) ?? sha256(readFileSync(content.source));
    files.set(content.source, known);
    return known;
  };
  for (const { names, settings, layers } of images) {
    hash.update(JSON.stringify([process.arch, names, settings]));
    for (const layer of layers) {
      for (const entry of complete(layer)) {
        hash.update(JSON.stringify(entry.kind === 'file' ? { ...entry, content: contentKey(entry.content) } : entry));
      }
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/** Writes the images as `docker load` and `ctr images import` read them: one tar with settings, layers and a list. */
export async function writeArchive(path: string, images: readonly Image[]): Promise<void> {
  const work = mkdtempSync(join(dirname(path), '.image-'));
  try {
    const layers = [...new Set(images.flatMap((image) => image.layers))];
    const written = new Map<readonly Entry[], { source: string; digest: string }>();
    for (const [index, layer] of layers.entries()) {
      const source = join(work, String(index));
      written.set(layer, { source, digest: await writeTar(source, complete(layer)) });
    }
    const of = (layer: readonly Entry[]) => written.get(layer) ?? { source: '', digest: '' };
    const described = images.map(({ names, settings, layers }) => {
      const digests = layers.map((layer) => of(layer).digest);
      const config = imageConfig(settings, digests);
      return { config, Config: `${sha256(config)}.json`, RepoTags: names, Layers: digests.map(layerName) };
    });
    const list = described.map(({ Config, RepoTags, Layers }) => ({ Config, RepoTags, Layers }));
    await writeTar(join(work, 'archive'), [
      ...described.map(({ config, Config }) => entryOf(Config, { text: config })),
      ...layers.map((layer) => entryOf(layerName(of(layer).digest), { source: of(layer).source })),
      entryOf('manifest.json', { text: JSON.stringify(list) }),
    ]);
    renameSync(join(work, 'archive'), path);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const entryOf = (path: string, content: Extract<Entry, { kind: 'file' }>['content']): Entry => {
  return { path, kind: 'file', mode: 0o644, content };
};

const layerName = (digest: string) => `${digest}.tar`;

function imageConfig(settings: Settings, digests: readonly string[]): string {
  return JSON.stringify({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    created: EPOCH.toISOString(),
    config: settings,
    rootfs: { type: 'layers', diff_ids: digests.map((digest) => `sha256:${digest}`) },
    history: digests.map(() => ({ created: EPOCH.toISOString() })),
  });
}

/** The digest of what was written. */
async function writeTar(path: string, entries: readonly Entry[]): Promise<string> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      done(undefined, chunk);
    },
  });
  const tar = pack();
  await Promise.all([addAll(tar, entries), pipeline(tar, hashing, createWriteStream(path))]);
  return hash.digest('hex');
}

async function addAll(tar: Pack, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) await add(tar, entry);
  tar.finalize();
}

async function add(tar: Pack, entry: Entry): Promise<void> {
  const header = { name: entry.path, mtime: EPOCH, uid: 0, gid: 0 };
  if (entry.kind === 'folder') tar.entry({ ...header, type: 'directory', mode: entry.mode });
  else if (entry.kind === 'link') tar.entry({ ...header, type: 'symlink', linkname: entry.target, mode: 0o777 });
  else if ('text' in entry.content) tar.entry({ ...header, mode: entry.mode }, entry.content.text);
  else {
    const { source } = entry.content;
    const sink = tar.entry({ ...header, mode: entry.mode, size: statSync(source).size });
    await pipeline(createReadStream(source), sink);
  }
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}
