import { AppError, cleanText, textAt, valueAt, type Json } from '../../../base/index.ts';
import {
  advance,
  parseKopiaProblem,
  parseKopiaSnapshot,
  plainLine,
  REQUESTER_TAGS,
  SNAPSHOT_DESCRIPTION,
  SNAPSHOT_PIN,
  snapshotSource,
  storedAllItself,
  VOLUME_TAG,
  type CopyProgress,
  type FileProblem,
} from '../../../core/volumes/index.ts';
import { NameList } from '../name-list.ts';
import type { SnapshotRequest } from '../port.ts';
import { causeIn, isHopeless, kopiaError } from './kopia-errors.ts';
import { KopiaMetrics } from './kopia-metrics.ts';
import { parseAnswer, type KopiaProgram } from './kopia-program.ts';

export interface TakenSnapshot {
  snapshotID: string;
  progress: CopyProgress;
  /** Files that were deleted while kopia read. */
  vanished: NameList;
  /** It refers to nothing that was in the repository before. */
  isAllNew: boolean;
}

const TAKE = 'copy the volume with kopia';

function snapshotArguments(request: SnapshotRequest, parallel: number | undefined): string[] {
  const tags = { ...REQUESTER_TAGS, ...request.tags, [VOLUME_TAG]: request.id };
  return [
    'snapshot',
    'create',
    '--progress',
    '--progress-update-interval=1s',
    '--json',
    '--no-send-snapshot-report',
    `--override-source=${snapshotSource(request.source)}`,
    `--description=${SNAPSHOT_DESCRIPTION}`,
    `--pin=${SNAPSHOT_PIN}`,
    ...(parallel === undefined ? [] : [`--parallel=${parallel}`]),
    ...Object.entries(tags).map(([key, value]) => `--tags=${key}:${value}`),
    request.path,
  ];
}

/**
 * Takes a snapshot; when it throws, one may have to be removed. kopia's exit code is not enough: it is 0 for a snapshot
 * that was broken off, and 1 for one that lacks a file which was deleted meanwhile.
 */
export async function takeSnapshot(
  kopia: KopiaProgram,
  request: SnapshotRequest,
  call: { parallel?: number | undefined; signal: AbortSignal; onProgress: (progress: CopyProgress) => void },
): Promise<TakenSnapshot> {
  const { parallel, signal, onProgress } = call;
  const problems = new Problems();
  const hopeless = new AbortController();
  const metrics = new KopiaMetrics(kopia);
  let progress: CopyProgress | undefined;
  let lastLine = '';
  const { exitCode, stdout, said } = await metrics.run(
    snapshotArguments(request, parallel),
    AbortSignal.any([signal, hopeless.signal]),
    (raw) => {
      const line = plainLine(raw);
      const next = parseKopiaSnapshot(line);
      if (next !== undefined) {
        lastLine = line;
        progress = advance(progress, next);
        onProgress(progress);
      } else if (isHopeless(line) && !hopeless.signal.aborted) hopeless.abort(kopiaError(TAKE, [line]));
      else problems.see(line);
    },
  );
  signal.throwIfAborted();
  hopeless.signal.throwIfAborted();
  if (stdout.trim() === '') throw kopiaError(TAKE, said);
  const manifest = parseAnswer(TAKE, stdout);
  const snapshotID = textAt(manifest, 'id');
  if (snapshotID === undefined) throw kopiaError(TAKE, said);
  const incomplete = textAt(manifest, 'incomplete');
  if (incomplete !== undefined)
    throw new AppError('serverError', `${TAKE}: kopia was broken off (${cleanText(incomplete, 40)})`);
  problems.judge(exitCode, countAt(manifest, 'numFailed'), said);
  const isAllNew = storedAllItself(lastLine, metrics.read());
  return { snapshotID, progress: finalProgress(manifest, progress), vanished: problems.vanished, isAllNew };
}

/** What kopia counted in the end; while it runs it prints rounded numbers only. */
function finalProgress(manifest: Json, last: CopyProgress | undefined): CopyProgress {
  const size = countAt(manifest, 'size') ?? last?.bytesDone ?? 0;
  const files = (countAt(manifest, 'files') ?? 0) + (countAt(manifest, 'symlinks') ?? 0);
  return {
    bytesDone: size,
    totalBytes: size,
    bytesReused: Math.min(size, last?.bytesReused ?? 0),
    bytesUploaded: last?.bytesUploaded ?? 0,
    filesDone: files,
  };
}

function countAt(manifest: Json, name: string): number | undefined {
  const value = valueAt(manifest, 'rootEntry', 'summ', name);
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** The files that kopia complained about. */
class Problems {
  readonly vanished = new NameList();
  readonly #unread = new NameList();

  see(line: string): void {
    const problem: FileProblem | undefined = parseKopiaProblem(line);
    if (problem === undefined) return;
    const path = cleanText(problem.path, 200);
    if (problem.hasVanished) this.vanished.add(path);
    else this.#unread.add(`${path} (${causeIn(problem.cause, 120)})`);
  }

  judge(exitCode: number | undefined, failed: number | undefined, said: readonly string[]): void {
    if (this.#unread.count > 0) throw new AppError('forbidden', `read the volume: cannot read ${String(this.#unread)}`);
    if (exitCode === 0) return;
    // Nothing but files that are gone: they were gone for the backup.
    if (exitCode === 1 && this.vanished.count > 0 && this.vanished.count >= (failed ?? 0)) return;
    throw kopiaError(TAKE, said);
  }
}
