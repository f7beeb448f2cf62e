import type { ErrorAnswer, OperationsAnswer, SessionAnswer } from '../../../src/core/operations/index.ts';
import { AppError, ERROR_CODES, messageOf, showHidden, type ErrorCode } from '../../../src/base/index.ts';

export type Query = Readonly<Record<string, string | undefined>>;
type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** What the page keeps of everything; the volumes of a backup, which may be thousands, come with its own page. */
const KEPT = { volumes: 'top' };

/** Reading from a big archive takes a while; beyond this the person had better hear that something is wrong. */
const DEADLINE_MS = 60_000;

/**
 * The HTTP API as the page uses it: answers as types, failures as AppError with the server's own words. All text that
 * the page shows comes through here, and names of others must not read as something else: hidden characters are shown.
 */
export class ServerClient {
  readonly #fetch: Fetch;
  #csrf: string | undefined;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  async session(signal?: AbortSignal): Promise<SessionAnswer> {
    const answer = await this.get<SessionAnswer>('api/session', {}, signal);
    this.#csrf = answer.csrf;
    return answer;
  }

  operations(query: Query, signal?: AbortSignal): Promise<OperationsAnswer> {
    return this.get('api/operations', { limit: '1000', ...query }, signal);
  }

  /** The next page of a snapshot of the events. */
  more(token: string, signal?: AbortSignal): Promise<OperationsAnswer> {
    return this.operations({ ...KEPT, continue: token }, signal);
  }

  /** Stays open as long as the signal lets it. */
  async events(lastEventId: string | undefined, signal: AbortSignal): Promise<ReadableStream<string>> {
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) };
    const path = withQuery('api/events', { ...KEPT, limit: '500' });
    return textOf(await this.#send(path, { headers, cache: 'no-store', signal }));
  }

  async lines(path: string, query: Query, signal: AbortSignal): Promise<ReadableStream<string>> {
    return textOf(await this.#send(withQuery(path, query), { cache: 'no-store', signal }));
  }

  async get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const response = await this.#send(withQuery(path, query), { signal: deadline(signal) });
    return JSON.parse(showHidden(await response.text())) as T;
  }

  async change<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { ...(this.#csrf && { 'x-csrf-token': this.#csrf }) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.#send(path, { method, headers, signal: deadline(), ...sent });
    const text = showHidden(await response.text());
    return (text === '' ? {} : JSON.parse(text)) as T;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(path, { credentials: 'same-origin', ...init });
    } catch (error) {
      if (init.signal?.aborted && (init.signal.reason as Error | undefined)?.name === 'TimeoutError') {
        throw new AppError('timeout', `ask the server for ${path}: no answer in ${String(DEADLINE_MS / 1000)} s`);
      }
      throw new AppError('unreachable', `ask the server for ${path}: it does not answer (${messageOf(error)})`);
    }
    if (response.ok) return response;
    throw await errorOf(response, path);
  }
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

function deadline(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(DEADLINE_MS);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

function textOf({ body, url }: Response): ReadableStream<string> {
  if (body === null) throw new AppError('badAnswer', `read ${url}: the answer has no body`);
  const shown = new TransformStream<string, string>({
    transform: (piece, out) => {
      out.enqueue(showHidden(piece));
    },
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(shown);
}

async function errorOf(response: Response, path: string): Promise<AppError> {
  const text = showHidden(await response.text().catch(() => ''));
  try {
    const { error } = JSON.parse(text) as ErrorAnswer;
    const { hint, details } = error;
    return new AppError(codeOf(error.code, response.status), error.message, {
      details: { ...details, ...(hint === undefined ? {} : { hint }) },
    });
  } catch {
    // A proxy in between answers in its own words.
    const said = text.trim().startsWith('<') ? '' : `: ${text.trim().slice(0, 200)}`;
    return new AppError(codeOf(undefined, response.status), `ask the server for ${path}: ${response.status}${said}`);
  }
}

function codeOf(said: string | undefined, status: number): ErrorCode {
  if (said !== undefined && said in ERROR_CODES) return said as ErrorCode;
  const found = Object.entries(ERROR_CODES).find(([, facts]) => facts.httpStatus === status);
  return (found?.[0] as ErrorCode | undefined) ?? 'serverError';
}
