import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { AppError } from '../../base/index.ts';
import type { Reply } from './reply.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
const NOT_BUILT =
  'Headway is running, but its page is not built yet. It appears here by itself when it is; until then: headway watch\n';

/** The built page from its directory, and nothing outside of it. */
export async function pageFile(directory: string | undefined, path: string): Promise<Reply> {
  const wanted = path === '/' ? '/index.html' : path;
  const file = directory === undefined ? undefined : await fileBelow(directory, wanted);
  if (file !== undefined) return fileReply(file, wanted);
  if (wanted === '/index.html') {
    return { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8', refresh: '2' }, text: NOT_BUILT };
  }
  throw new AppError('notFound', `find ${JSON.stringify(path.slice(0, 200))}: there is no such page or file`);
}

interface PageFile {
  path: string;
  size: number;
}

/** Resolved before it is compared, so that neither dots nor links lead out. */
async function fileBelow(directory: string, path: string): Promise<PageFile | undefined> {
  if (path.includes('\0') || !Object.hasOwn(TYPES, extname(path))) return undefined;
  try {
    const root = await realpath(directory);
    const found = await realpath(join(root, path));
    if (!found.startsWith(root + sep)) return undefined;
    const facts = await stat(found);
    return facts.isFile() ? { path: found, size: facts.size } : undefined;
  } catch {
    // Not there, or not readable: the same answer as for a file that never was.
    return undefined;
  }
}

function fileReply({ path, size }: PageFile, wanted: string): Reply {
  // Vite puts the hash of the content into the names of its assets.
  const isHashed = wanted.startsWith('/assets/');
  return {
    headers: {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'content-length': String(size),
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
    stream: createReadStream(path),
  };
}
