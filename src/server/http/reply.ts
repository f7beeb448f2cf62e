import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { stringifyJson } from '../../base/index.ts';

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

export async function sendReply(response: ServerResponse, reply: Reply, isHead: boolean): Promise<void> {
  const { status = 200, headers = {} } = reply;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store');
  response.statusCode = status;
  if (reply.takeOver !== undefined) {
    reply.takeOver(response);
    return;
  }
  if (reply.stream !== undefined) {
    if (isHead) response.end();
    else await sendStream(response, reply.stream);
    return;
  }
  const body = bodyOf(response, reply);
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(isHead ? undefined : body);
}

function bodyOf(response: ServerResponse, { json, text = '' }: Reply): string | Uint8Array {
  if (json === undefined) return text;
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json; charset=utf-8');
  return stringifyJson(json);
}

async function sendStream(response: ServerResponse, stream: AsyncIterable<Uint8Array | string>): Promise<void> {
  response.flushHeaders();
  for await (const piece of stream) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
