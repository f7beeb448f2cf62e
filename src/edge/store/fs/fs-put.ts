import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { AppError, messageOf } from '../../../base/index.ts';
import { within } from '../deadline.ts';
import type { PutOptions, Source } from '../port.ts';
import { readSource } from '../source.ts';
import { closeUnwaited } from './fs-read.ts';
import { systemCode } from './fs-errors.ts';
import { UPLOADS } from './fs-tree.ts';
import type { Walk } from './fs-walk.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** A delete may remove the empty directory just created, but not forever. */
const MAX_PLACINGS = 10;

/** Writes beside the store's content, and moves the file in when every byte is on disk. */
export async function putFile(walk: Walk, key: string, source: Source, options: PutOptions): Promise<{ size: number }> {
  const { tree, root, step } = walk;
  const parts = key.split('/');
  const upload = [...root, UPLOADS, randomUUID()];
  const temporary = [...upload, ...parts];
  try {
    const handle = await step(async (signal) => {
      await tree.makeDirectory([...root, UPLOADS]);
      await mkdir(tree.at(temporary.slice(0, -1)), { recursive: true, mode: 0o700 });
      const opened = await open(tree.at(temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      // Nobody waits for it any more, so nobody else would close it.
      if (signal.aborted) closeUnwaited(opened);
      return opened;
    });
    const size = await fill(walk, handle, readSource(source, options.signal), options);
    await step(() => place(walk, temporary, parts));
    return { size };
  } finally {
    await tidyUp(walk, upload);
  }
}

/**
 * What cannot be removed now, or on a disk that hangs, is found by listUploads; the put's own result is what counts.
 */
async function tidyUp({ tree, root, limitMs }: Walk, upload: readonly string[]): Promise<void> {
  const removing = (async () => {
    await tree.remove(upload);
    await tree.removeEmpty([...root, UPLOADS], root.length);
  })();
  await within({ limitMs, what: 'remove an upload' }, () => removing).catch(() => undefined);
}

async function fill(
  { step }: Walk,
  handle: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  options: PutOptions,
): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of chunks) {
      await step(() => writeAll(handle, chunk, size));
      size += chunk.byteLength;
      options.onProgress?.(size);
    }
    await step(() => handle.sync());
  } finally {
    closeUnwaited(handle);
  }
  return size;
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < chunk.byteLength) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.byteLength - done, position + done);
    done += bytesWritten;
  }
}

async function place({ tree, root }: Walk, temporary: readonly string[], parts: readonly string[]): Promise<void> {
  const target = [...root, ...parts];
  for (let tries = 1; ; tries += 1) {
    await tree.makeDirectory(target.slice(0, -1));
    // Moving a file over a link would replace the link, not follow it; but whoever put it there should see an error.
    if ((await tree.kindOf(target)) === 'directory') throw folderInTheWay(parts);
    try {
      await rename(tree.at(temporary), tree.at(target));
      break;
    } catch (error) {
      if (['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw folderInTheWay(parts);
      if (systemCode(error) !== 'ENOENT') throw error;
      if ((await tree.kindOf(temporary)) === 'missing') {
        throw new AppError('gone', `put ${parts.join('/')}: the upload was aborted by somebody else`, { cause: error });
      }
      if (tries >= MAX_PLACINGS) throw new AppError('conflict', `put ${parts.join('/')}: ${messageOf(error)}`);
    }
  }
  await tree.sync(target.slice(0, -1));
}

function folderInTheWay(parts: readonly string[]): AppError {
  return new AppError(
    'invalid',
    `put ${parts.join('/')}: there are objects below it, and a folder cannot be an object`,
  );
}
