import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidOption } from '../errors/index.ts';
import type { WriteOptions } from '../registry/index.ts';
import type { WebSocket } from 'ws';
import type { User } from './authenticator.ts';

/** One request on its way through the server. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  user: User;
  /** Sent as Warning headers with the answer. */
  warnings: string[];
  /** The client wants to go on with another protocol on this connection. */
  upgrade?: Upgrade;
}

export interface Upgrade {
  /** `websocket`, `spdy/3.1`, … in lower case. */
  wanted: string;
  /** Goes on with a websocket that speaks the first of these that the client offers. */
  accept(protocols: readonly string[]): Promise<Accepted>;
}

export interface Accepted {
  socket: WebSocket;
  /** Empty where the client offered none. */
  protocol: string;
}

const OPTIONS_KINDS: Readonly<Record<string, string>> = { PUT: 'UpdateOptions', PATCH: 'PatchOptions' };
const VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;

/** What the query of a write asks for. */
export function writeOptions({ request, query, warnings }: Exchange): WriteOptions {
  const kind = OPTIONS_KINDS[request.method ?? ''] ?? 'CreateOptions';
  const asked = query.get('fieldValidation') ?? '';
  const fieldValidation = VALIDATIONS.find((known) => known === asked);
  if (asked !== '' && fieldValidation === undefined) {
    throw unsupportedValue(kind, 'fieldValidation', asked, ['', 'Ignore', 'Strict', 'Warn']);
  }
  return {
    dryRun: isDryRun(query, kind),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
    warn: (message) => {
      warnings.push(message);
    },
  };
}

/** `kind` is that of the options, for the message. */
export function isDryRun(query: URLSearchParams, kind: string): boolean {
  const values = query.getAll('dryRun').filter((value) => value !== '');
  for (const value of values) {
    if (value !== 'All') throw unsupportedValue(kind, 'dryRun', values, ['All']);
  }
  return values.length > 0;
}

function unsupportedValue(
  kind: string,
  field: string,
  value: string | readonly string[],
  supported: readonly string[],
): Error {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`;
  return invalidOption(kind, { reason: 'FieldValueNotSupported', message, field });
}
