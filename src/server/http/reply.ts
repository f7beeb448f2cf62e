import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { leaveUnread, stringifyJson } from '../../base/index.ts';

/** What a route answers. Exactly one of json, text and stream, or none. */
export interface Reply {
  status?: number;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  json?: object;
  text?: string | Uint8Array;
  /** Sent piece by piece, as fast as it is read. */
  stream?: AsyncIterable<Uint8Array | string>;
  /** The route writes the answer itself, for as long as it likes. */
  takeOver?: (response: ServerResponse) => void;
}

export interface SendOptions {
  /** HEAD: everything but the body. */
  isHead: boolean;
  /** A reader that takes nothing for so long is cut off. */
  stuckMs: number;
}

export async function sendReply(response: ServerResponse, reply: Reply, options: SendOptions): Promise<void> {
  const { status = 200, headers = {} } = reply;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store');
  response.statusCode = status;
  if (reply.takeOver !== undefined) {
    reply.takeOver(response);
    if (options.isHead) response.end();
    return;
  }
  if (reply.stream !== undefined) {
    if (options.isHead) {
      response.end();
      await leaveUnread(reply.stream);
    } else await sendStream(response, reply.stream, options.stuckMs);
    return;
  }
  const body = bodyOf(response, reply);
  response.setHeader('content-length', Buffer.byteLength(body));
  cutOffWhenStuck(response, options.stuckMs);
  response.end(options.isHead ? undefined : body);
}

/** From here on everything is sent, so that silence can only be the reader's. */
function cutOffWhenStuck(response: ServerResponse, stuckMs: number): void {
  response.setTimeout(stuckMs, () => response.destroy());
}

function bodyOf(response: ServerResponse, { json, text = '' }: Reply): string | Uint8Array {
  if (json === undefined) return text;
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json; charset=utf-8');
  return stringifyJson(json);
}

async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<Uint8Array | string>,
  stuckMs: number,
): Promise<void> {
  response.flushHeaders();
  for await (const piece of stream) {
    if (response.destroyed) return;
    // Only then is it the reader who is waited for: a log that is followed may say nothing for as long as it likes.
    if (!response.write(piece)) await roomIn(response, stuckMs);
  }
  cutOffWhenStuck(response, stuckMs);
  response.end();
}

async function roomIn(response: ServerResponse, stuckMs: number): Promise<void> {
  const stuck = setTimeout(() => response.destroy(), stuckMs);
  const isOver = new AbortController();
  const { signal } = isOver;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    clearTimeout(stuck);
    // A big file has to wait often; the listener that lost must not stay each time.
    isOver.abort();
  }
}
