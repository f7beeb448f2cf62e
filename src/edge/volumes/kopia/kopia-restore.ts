import { unlinkSync } from 'node:fs';
import { AppError } from '../../../base/index.ts';
import { advance, parseKopiaRestore, plainLine, type CopyProgress } from '../../../core/volumes/index.ts';
import { emptyDirectory } from '../empty-directory.ts';
import { fileError } from '../file-errors.ts';
import type { RestoreRequest } from '../port.ts';
import { treeAt, walkTree } from '../tree-walk.ts';
import { kopiaError } from './kopia-errors.ts';
import type { KopiaProgram } from './kopia-program.ts';

export interface KopiaRestoreOptions {
  parallel?: number | undefined;
  /** For file systems on which nobody may give files away. */
  ignoresOwners?: boolean | undefined;
}

const RESTORE = 'restore the volume with kopia';
const CONFLICT = /already exists and is not|is a directory|not a directory|file exists/;

function restoreArguments(request: RestoreRequest, options: KopiaRestoreOptions): string[] {
  const { snapshotID, path } = request;
  return [
    'restore',
    '--progress',
    '--progress-update-interval=1s',
    '--mode=local',
    '--write-sparse-files',
    '--no-ignore-permission-errors',
    ...(options.parallel === undefined ? [] : [`--parallel=${options.parallel}`]),
    ...(options.ignoresOwners === true ? ['--skip-owners'] : []),
    ...overwriting(request),
    snapshotID,
    path,
  ];
}

/**
 * kopia takes a file with the same size and about the same time for the one that it has, so it may skip only what it has
 * written itself.
 */
function overwriting({ isBroughtUp, isExact }: RestoreRequest): string[] {
  if (isBroughtUp === true) return ['--overwrite-files', '--overwrite-directories', '--overwrite-symlinks'];
  return isExact === true ? ['--skip-existing', '--delete-extra'] : ['--no-overwrite-files', '--no-overwrite-symlinks'];
}

export async function restoreSnapshot(
  kopia: KopiaProgram,
  request: RestoreRequest,
  call: { options: KopiaRestoreOptions; signal: AbortSignal; onProgress: (progress: CopyProgress) => void },
): Promise<CopyProgress> {
  const { options, signal, onProgress } = call;
  const isOurs = request.isExact === true && request.isBroughtUp !== true;
  if (isOurs) removeLinks(request.path);
  const { totalBytes } = request;
  const known = totalBytes === undefined ? {} : { totalBytes };
  let progress: CopyProgress = { bytesDone: 0, ...known };
  const { exitCode, said } = await kopia.run(restoreArguments(request, options), signal, (line) => {
    const next = parseKopiaRestore(plainLine(line));
    if (next === undefined) return;
    // The size of the snapshot is certain; kopia's own total is what it has found so far, rounded.
    const bytesDone = Math.min(next.bytesDone, totalBytes ?? next.bytesDone);
    progress = advance(progress, { ...next, ...known, bytesDone });
    onProgress(progress);
  });
  signal.throwIfAborted();
  if (exitCode !== 0 && isOurs && CONFLICT.test(said.join('\n'))) {
    // A file is in the place of a directory, or the other way round, which kopia cannot change: then all is copied.
    emptyDirectory(request.path);
    return await restoreSnapshot(kopia, { ...request, isExact: false }, call);
  }
  if (exitCode !== 0) throw restoreError(request, said);
  return totalBytes === undefined ? progress : { ...progress, bytesDone: totalBytes, totalBytes };
}

function restoreError({ path }: RestoreRequest, said: readonly string[]): AppError {
  const text = said.join('\n');
  // An id that is no snapshot is taken for the id of a file, which is then put in the place of the volume.
  const isFile = text.includes(`unable to create "${path}", it already exists`) || text.includes(`file for ${path}:`);
  const isUnknown = isFile || /unable to find snapshots by ID/.test(text);
  if (isUnknown && !/BLOB not found/.test(text)) {
    return new AppError('notFound', `${RESTORE}: the repository has no such snapshot`, {
      cause: kopiaError(RESTORE, said),
    });
  }
  if (/could not change owner/.test(text)) {
    const hint = 'if the file system does not allow to give files away, restore with ignoresOwners';
    return new AppError('forbidden', kopiaError(RESTORE, said).message, { details: { hint } });
  }
  return kopiaError(RESTORE, said);
}

/** kopia follows a link that is in the place of a directory or file of the snapshot. Those of the snapshot come back. */
function removeLinks(root: string): void {
  const at = treeAt(root);
  const onProblem = ({ error }: { error: unknown }): never => {
    throw fileError('look through the volume', error);
  };
  for (const { path, kind } of walkTree(root, onProblem)) if (kind === 'link') unlinkSync(at(path));
}
