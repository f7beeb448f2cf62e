import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { messageOf } from '../../base/index.ts';
import { NEW_PLACE_MS } from '../auth/rights-book.ts';
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
        const asked: ViewQuery = { ...operationQuery(query), limit: query.limit, ...one(query.operation) };
        const leave = context.seats.take({ who: sight.who, address: caller.address, view: JSON.stringify(asked) });
        const header = request.headers['last-event-id'];
        const stream: Stream = {
          query: asked,
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
            response.once('close', leave);
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

function serve(context: Context, stream: Stream, response: ServerResponse): void {
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  const { query, lastEventId } = stream;
  const subscription = ({ maySee, fingerprint }: Sight) => ({ query, maySee, rights: fingerprint });
  const reader = context.hub.subscribe({ ...subscription(stream.sight), lastEventId }, sinkOf(response, stream));
  let seen = stream.sight.fingerprint;
  let isOver = false;
  const check = async (): Promise<void> => {
    try {
      const sight = await operationSight(stream.caller, context.rights);
      if (isOver) return;
      // An operation that may no longer be seen leaves an empty view behind, which is what is true then.
      if (sight.fingerprint !== seen) context.hub.change(reader, subscription(sight));
      seen = sight.fingerprint;
    } catch (error) {
      context.log.info('event stream ended', { err: messageOf(error) });
      end();
    }
  };
  const timer = setInterval(() => void check(), context.limits.rightsMs);
  // Something is seen in a namespace that nobody has asked about yet; the book asks about it when it is due.
  let soon: NodeJS.Timeout | undefined;
  const forget = context.places.onNew(() => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void check();
    }, NEW_PLACE_MS);
  });
  const leave = (): void => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(soon);
    forget();
    context.hub.leave(reader);
  };
  const end = (): void => {
    leave();
    reader.end();
    // A reader that takes nothing would keep the rest of its stream here.
    response.setTimeout(context.limits.stuckMs, () => response.destroy());
  };
  response.once('close', leave);
  // Also when the session has ended, which the connection knows nothing of.
  stream.signal.addEventListener('abort', end, { once: true });
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
