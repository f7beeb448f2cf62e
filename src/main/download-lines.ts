import { AppError, messageOf } from '../base/index.ts';
import { linesOf } from './text-lines.ts';

const DEADLINE_MS = 60_000;

/** The lines of a gzipped text behind a link that somebody signed; the link is a secret and is in no message. */
export async function* downloadLines(url: string, stop: AbortSignal): AsyncGenerator<string> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(DEADLINE_MS)]);
  const { host } = new URL(url);
  try {
    const answer = await fetch(url, { signal });
    if (answer.status === 404) throw new AppError('notFound', `the store at ${host} has no such file`);
    if (!answer.ok || answer.body === null) {
      throw new AppError('badAnswer', `download from ${host}: answered ${String(answer.status)}`);
    }
    yield* linesOf(answer.body.pipeThrough(new DecompressionStream('gzip')));
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (stop.aborted) throw stop.reason;
    const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);
    throw new AppError('unreachable', `download from ${host}: ${why}`, { cause: error });
  }
}
