import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/index.ts';
import { operationSight, type Sight } from '../auth/sight.ts';
import type { Caller } from '../auth/callers.ts';
import { operationFor, type Context } from '../context.ts';
import type { ReaderSink } from '../live/event-reader.ts';
import type { ViewQuery } from '../live/view.ts';
import { OperationFilter, operationQuery } from './operation-routes.ts';
import { route, type Route } from './route.ts';

const EventQuery = OperationFilter.extend({
  operation: z.string().optional().describe('Only this operation, in all detail'),
  lastEventId: z.string().max(100).optional(),
});

export function eventRoutes(context: Context): Route[] {
  const open = new Map<string, number>();
  return [
    route({
      method: 'GET',
      path: '/api/events',
      summary: 'What changes, as it changes: events snapshot, operation, removed and heartbeat',
      query: EventQuery,
      produces: 'text/event-stream',
      handle: async ({ query, caller, request, signal }) => {
        const sight = await operationSight(caller, context.rights);
        if (query.operation !== undefined) await operationFor(context, caller, query.operation);
        // Whoever has left meanwhile would never be noticed leaving again, and be served for ever.
        signal.throwIfAborted();
        admit(context, open, caller);
        const header = request.headers['last-event-id'];
        const stream: Stream = {
          query: { ...operationQuery(query), limit: query.limit, ...one(query.operation) },
          lastEventId: (Array.isArray(header) ? header[0] : header) ?? query.lastEventId,
          takesGzip: /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
          caller,
          sight,
          signal,
        };
        return {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store, no-transform',
            'x-accel-buffering': 'no',
            ...(stream.takesGzip ? { 'content-encoding': 'gzip' } : {}),
          },
          takeOver: (response) => {
            response.once('close', () => {
              open.set(caller.key, (open.get(caller.key) ?? 1) - 1);
              if (open.get(caller.key) === 0) open.delete(caller.key);
            });
            serve(context, stream, response);
          },
        };
      },
    }),
  ];
}

interface Stream {
  query: ViewQuery;
  lastEventId: string | undefined;
  takesGzip: boolean;
  caller: Caller;
  sight: Sight;
  signal: AbortSignal;
}

function one(operation: string | undefined): { operation?: string } {
  return operation === undefined ? {} : { operation };
}

function admit({ hub, limits }: Context, open: Map<string, number>, { key }: Caller): void {
  const mine = open.get(key) ?? 0;
  if (hub.size >= limits.streams || mine >= limits.streamsPerCaller) {
    throw new AppError('throttled', 'open an event stream: there are too many open already', {
      retry: { afterMs: 5000 },
    });
  }
  open.set(key, mine + 1);
}

function serve(context: Context, stream: Stream, response: ServerResponse): void {
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  const { query, lastEventId } = stream;
  const subscription = ({ maySee, fingerprint }: Sight) => ({ query, maySee, rights: fingerprint });
  const reader = context.hub.subscribe({ ...subscription(stream.sight), lastEventId }, sinkOf(response, stream));
  let seen = stream.sight.fingerprint;
  const check = async (): Promise<void> => {
    try {
      const sight = await operationSight(stream.caller, context.rights);
      // An operation that may no longer be seen leaves an empty view behind, which is what is true then.
      if (sight.fingerprint !== seen) context.hub.change(reader, subscription(sight));
      seen = sight.fingerprint;
    } catch (error) {
      context.log.info('event stream ended', { err: messageOf(error) });
      reader.end();
    }
  };
  const timer = setInterval(() => void check(), context.limits.rightsMs);
  const leave = (): void => {
    clearInterval(timer);
    context.hub.leave(reader);
  };
  response.once('close', leave);
  stream.signal.addEventListener('abort', leave, { once: true });
}

function sinkOf(response: ServerResponse, { takesGzip }: Stream): ReaderSink {
  return {
    takesGzip,
    write: (bytes) => response.write(bytes),
    onDrain: (listener) => response.on('drain', listener),
    end: () => response.end(),
    destroy: () => response.destroy(),
  };
}
