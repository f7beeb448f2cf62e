import { closeSync, openSync, readSync } from 'node:fs';
import type { Container } from '../../controllers/kinds/index.ts';
import { readLog } from '../logs/index.ts';

const MAX_BYTES = 4096;
/** Of a log, when that has the last words. */
const MAX_LOG_BYTES = 2048;
const MAX_LOG_LINES = 80;

/** The last words of a container: what it wrote to the file that is for them, or the end of its log if it asked for that. */
export async function terminationMessage(
  { terminationMessagePolicy }: Container,
  { file, logDir, exitCode }: { file: string; logDir: string; exitCode: number },
): Promise<string> {
  const own = firstBytes(file);
  if (own !== '' || exitCode === 0 || terminationMessagePolicy !== 'FallbackToLogsOnError') return own;
  const pieces: Buffer[] = [];
  const options = { tailLines: MAX_LOG_LINES, withTimes: false };
  for await (const piece of readLog(logDir, options, { signal: new AbortController().signal })) pieces.push(piece);
  return Buffer.concat(pieces).subarray(-MAX_LOG_BYTES).toString();
}

/** No more than that: a container may write there what it likes. */
function firstBytes(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return ''; // It never came so far.
  }
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.subarray(0, readSync(descriptor, bytes)).toString();
  } finally {
    closeSync(descriptor);
  }
}
