import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Json } from '../../base/index.ts';
import type { Caller } from '../auth/callers.ts';
import type { Reply } from '../http/reply.ts';

/** One request on its way to its route: everything that was asked, checked. */
export interface Call<Query = Record<string, never>> {
  params: Readonly<Record<string, string>>;
  query: Query;
  /** Undefined for routes that take none. */
  body: Json | undefined;
  caller: Caller;
  request: IncomingMessage;
  /** Aborted when the client leaves or the server stops. */
  signal: AbortSignal;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/operations/:id`; a parameter is one segment, decoded. */
  path: string;
  /** For the OpenAPI document. */
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of the answer when all went well; 200 unless told otherwise. */
  status?: 201 | 202 | 204 | 303;
  /** Of the answer, when it is JSON. */
  answer?: z.ZodType;
  /** The content type of an answer that is not. */
  produces?: string;
  /** Not even a caller is looked for: probes, downloads by a sealed link, and the way in. */
  isOpen?: boolean;
  handle(call: Call<never>): Promise<Reply>;
}

interface RouteOf<Schema extends z.ZodType> extends Omit<Route, 'query' | 'handle'> {
  query?: Schema;
  handle(call: Call<z.output<Schema>>): Promise<Reply>;
}

/** Keeps the type of the query between its schema and its handler. */
export function route<Schema extends z.ZodType = z.ZodType<Record<string, never>>>(definition: RouteOf<Schema>): Route {
  return definition;
}
