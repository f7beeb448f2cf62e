import { present } from '../../progress/index.ts';
import { cleanProgress, countOf, type CopyProgress } from './copy-progress.ts';

/** What restic says at the end. */
export interface ResticSummary {
  snapshotId?: string;
  progress: CopyProgress;
}

export type ResticLine =
  | { kind: 'progress'; progress: CopyProgress; current?: string }
  | { kind: 'summary'; summary: ResticSummary }
  | { kind: 'problem'; text: string };

/** One line of `restic backup --json` or `restic restore --json`; undefined for any other. */
export function parseResticLine(line: string): ResticLine | undefined {
  const message = parseObject(line);
  switch (message?.['message_type']) {
    case 'status':
      return statusOf(message);
    case 'summary':
      return { kind: 'summary', summary: summaryOf(message) };
    case 'error':
    case 'exit_error':
      return { kind: 'problem', text: problemOf(message) };
    default:
      return undefined;
  }
}

type Message = Readonly<Record<string, unknown>>;

function parseObject(line: string): Message | undefined {
  // Almost everything that is no JSON is refused without an exception.
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    // Half a line, or another program's.
    return undefined;
  }
}

function statusOf(message: Message): ResticLine {
  const files = message['current_files'];
  const current = Array.isArray(files) && typeof files[0] === 'string' ? files[0] : undefined;
  const skipped = countOf(message['bytes_skipped']);
  const progress = cleanProgress(
    present({
      bytesDone: (countOf(message['bytes_done'] ?? message['bytes_restored']) ?? 0) + (skipped ?? 0),
      totalBytes: countOf(message['total_bytes']),
      bytesReused: skipped,
      filesDone: countOf(message['files_done'] ?? message['files_restored']),
      problems: countOf(message['error_count']),
      secondsLeft: countOf(message['seconds_remaining']),
    }),
  );
  return { kind: 'progress', progress, ...(current === undefined ? {} : { current }) };
}

function summaryOf(message: Message): ResticSummary {
  const id = message['snapshot_id'];
  const total = countOf(message['total_bytes_processed'] ?? message['total_bytes']);
  const restored = countOf(message['bytes_restored']);
  const progress = cleanProgress(
    present({
      bytesDone: total ?? restored ?? 0,
      totalBytes: total,
      bytesUploaded: countOf(message['data_added_packed'] ?? message['data_added']),
      filesDone: countOf(message['total_files_processed'] ?? message['files_restored']),
    }),
  );
  return { progress, ...(typeof id === 'string' ? { snapshotId: id } : {}) };
}

function problemOf(message: Message): string {
  const error = message['error'];
  const text =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : (message['message'] ?? error);
  const item = message['item'];
  const what = typeof text === 'string' ? text : 'restic reports an error without saying which';
  return typeof item === 'string' && item !== '' ? `${item}: ${what}` : what;
}
