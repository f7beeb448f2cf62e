import { z } from 'zod';
import { AppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { hasVerb, type TreeEntry } from '../../core/operations/index.ts';
import { storedLog, storeOf } from '../backups/stored-files.ts';
import { begun } from '../http/begun.ts';
import { mustMayDownload, operationFor, type Context } from '../context.ts';
import { route, type Route } from './route.ts';

const LogQuery = z.object({ follow: z.enum(['0', '1', 'true', 'false']).optional() });
/** Without following, a log that says nothing for so long counts as read. */
const QUIET_MS = 300;

export function logRoutes(context: Context): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/operations/:id/log',
      summary: 'The log of an operation as lines of text, also while it is written',
      query: LogQuery,
      produces: 'text/plain; charset=utf-8',
      handle: async ({ params, query, caller, signal }) => {
        const found = await operationFor(context, caller, params['id'] ?? '');
        mustHaveLog(found.entry);
        mustMayDownload(found);
        const { entry, cluster } = found;
        const headers = { 'content-type': 'text/plain; charset=utf-8' };
        const isFollowed = query.follow === '1' || query.follow === 'true';
        const isStillAllowed = async (): Promise<void> => {
          mustMayDownload(await operationFor(context, caller, entry.operation.id));
        };
        const until = isFollowed ? whileAllowed(isStillAllowed, context.limits.rightsMs, signal) : signal;
        const live = cluster.logs.tail(entry.operation.ref.uid ?? '', until);
        if (live !== undefined) return { headers, stream: isFollowed ? live : untilQuiet(live) };
        if (!isTerminal(entry.operation.report.state)) {
          throw new AppError(
            'notFound',
            `read the log of ${entry.operation.id}: it has none yet, or runs in another process`,
            {
              details: { hint: 'Ask again when it has ended' },
            },
          );
        }
        const opened = await storeOf(cluster, context.tree, entry, signal);
        return { headers, stream: await begun(storedLog(opened, entry, signal)) };
      },
    }),
  ];
}

function mustHaveLog({ adapter, operation }: TreeEntry): void {
  if (hasVerb(adapter, 'logs')) return;
  throw new AppError('notFound', `read the log of ${operation.id}: a ${adapter.type.kind} has none`);
}

/** A log may be followed for hours, in which the caller may lose the right to read it. */
function whileAllowed(check: () => Promise<void>, everyMs: number, signal: AbortSignal): AbortSignal {
  const end = new AbortController();
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      end.abort(error);
    });
  }, everyMs);
  const stop = (): void => {
    clearInterval(timer);
  };
  signal.addEventListener('abort', stop, { once: true });
  return AbortSignal.any([signal, end.signal]);
}

async function* untilQuiet(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = stream[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, QUIET_MS, undefined);
    });
    const next = await Promise.race([pieces.next(), quiet]);
    clearTimeout(timer);
    if (next === undefined || next.done === true) break;
    yield next.value;
  }
  // Not waited for: a tail that waits for the next line ends only with the request.
  void pieces.return?.();
}
