import { z } from 'zod';
import { AppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { hasVerb, type TreeEntry } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { followPhases } from '../actions/phase-log.ts';
import { leftOfLog } from '../actions/set-events.ts';
import { storedLog, storeOf } from '../backups/stored-files.ts';
import { begun } from '../http/begun.ts';
import { mustMayDownload, operationFor, takerOf, type Acting, type Context } from '../context.ts';
import { route, type Route } from './route.ts';

const LogQuery = z.object({
  follow: z.enum(['0', '1', 'true', 'false']).optional(),
  // Of action sets: only what no pod has in a log of its own.
  only: z.enum(['printed']).optional(),
});
/** Without following, a log that says nothing for so long counts as read. */
const QUIET_MS = 300;
/** Pods have to be found first. */
const QUIET_PODS_MS = 1500;

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
        const { entry, cluster } = found;
        mustHaveLog(entry);
        const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-accel-buffering': 'no' };
        const isFollowed = query.follow === '1' || query.follow === 'true';
        const hasFiles = entry.adapter.files !== undefined;
        const isStillAllowed = async (): Promise<void> => {
          const again = await operationFor(context, caller, entry.operation.id);
          if (hasFiles) mustMayDownload(again);
        };
        if (!hasFiles) {
          const until = whileAllowed(isStillAllowed, context.limits.rightsMs, signal);
          const hasEnded = isTerminal(entry.operation.report.state);
          const kept = hasEnded ? await cluster.logs.endOf(entry.operation.ref.uid ?? '', signal) : undefined;
          return {
            headers,
            stream: podsLog(context, found, {
              isFollowed,
              isPrintedOnly: query.only === 'printed',
              kept,
              signal: until,
            }),
          };
        }
        mustMayDownload(found);
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

interface PodsLog {
  isFollowed: boolean;
  isPrintedOnly: boolean;
  kept: Buffer | undefined;
  signal: AbortSignal;
}

/** Of an operation whose log is what its pods print: read with the caller's own rights, and gone with the pods. */
function podsLog(
  context: Context,
  found: Acting & { entry: TreeEntry },
  { isFollowed, isPrintedOnly, kept, signal }: PodsLog,
): AsyncGenerator<Uint8Array> {
  const { kube, entry, cluster } = found;
  const { id, ref } = entry.operation;
  const { who, address } = takerOf(found);
  const leave = context.seats.take({ who, address, view: `log ${id}` });
  const over = new AbortController();
  const end = (): void => {
    over.abort(new AppError('canceled', 'nobody reads the log any more'));
    leave();
  };
  const current = (): { set: KubeObject; hasEnded: boolean } | undefined => {
    const now = context.tree.get(id);
    // One that was made anew under the same name is another one.
    if (now === undefined || now.operation.ref.uid !== ref.uid) return undefined;
    return { set: now.object, hasEnded: isTerminal(now.operation.report.state) };
  };
  const deps = { kube, clock: context.clock, current, isPrintedOnly, signal: AbortSignal.any([signal, over.signal]) };
  const hasEnded = isTerminal(entry.operation.report.state);
  const lines = hasEnded
    ? leftOfLog(entry.object, { ...deps, kept })
    : followPhases(entry.object, { ...deps, ownLog: () => cluster.logs.tail(ref.uid ?? '', deps.signal) });
  return asBytes(isFollowed || hasEnded ? lines : untilQuiet(lines, QUIET_PODS_MS), end);
}

async function* asBytes(lines: AsyncIterable<string>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const line of lines) yield Buffer.from(line);
  } finally {
    end();
  }
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

async function* untilQuiet<Piece>(stream: AsyncIterable<Piece>, quietMs = QUIET_MS): AsyncGenerator<Piece> {
  const pieces = stream[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, quietMs, undefined);
    });
    const next = await Promise.race([pieces.next(), quiet]);
    clearTimeout(timer);
    if (next === undefined || next.done === true) break;
    yield next.value;
  }
  // Not waited for: a tail that waits for the next line ends only with the request.
  void pieces.return?.();
}
