import type { ServerResponse } from 'node:http';
import { stringifyJson } from '../../../base/index.ts';
import { plainOf, statusOf } from '../errors/index.ts';

export interface Answer {
  code: number;
  /** JSON unless `type` says otherwise. */
  body: string;
  type?: string;
  headers?: Readonly<Record<string, string>>;
}

export function json(code: number, value: unknown): Answer {
  return { code, body: stringifyJson(value) };
}

export function plainText(code: number, body: string): Answer {
  return { code, body, type: 'text/plain; charset=utf-8' };
}

export function send(response: ServerResponse, answer: Answer, warnings: readonly string[] = []): void {
  // After the client went away there is nobody to tell.
  if (response.headersSent || response.destroyed) return;
  const { body } = answer;
  response.writeHead(answer.code, {
    'Content-Type': answer.type ?? 'application/json',
    'Cache-Control': 'no-cache, private',
    'Content-Length': Buffer.byteLength(body),
    ...answer.headers,
    ...(warnings.length === 0 ? {} : { Warning: warnings.map((text) => `299 - ${quoted(text)}`).join(', ') }),
  });
  // A string goes out together with the head, in one system call.
  response.end(body);
}

export function errorAnswer(error: unknown): Answer {
  const plain = plainOf(error);
  if (plain !== undefined) return plainText(plain.code, plain.text);
  const status = statusOf(error);
  const code = status.code ?? 500;
  const retryAfter = status.details?.['retryAfterSeconds'];
  return {
    ...json(code, status),
    ...(typeof retryAfter === 'number' ? { headers: { 'Retry-After': String(retryAfter) } } : {}),
  };
}

/** A header holds no control characters and nothing beyond Latin-1. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 1024)).replace(/[^\x20-\x7e]/g, '?');
}
